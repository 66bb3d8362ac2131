/**
 * Loaded before a command: it gets the signal of Ctrl-C as soon as it has told of so many objects. From outside the signal
 * comes late on a busy machine, when the command may have done all its work.
 */
const after = Number(process.env.LONGSHORE_TEST_INTERRUPTED_AFTER);
const write = process.stderr.write;
let seen = 0;

process.stderr.write = ((...args: Parameters<typeof write>) => {
  if (/ (?:created|changed|deleted)\n$/.test(String(args[0])) && ++seen === after) process.kill(process.pid, 'SIGINT');
  return write.apply(process.stderr, args);
}) as typeof write;
