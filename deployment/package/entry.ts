import './node20.ts';

// Modules that use what Node 20 lacks are loaded after it is there.
await import('../../cli/main.ts');
