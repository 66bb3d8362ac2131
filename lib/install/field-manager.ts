/** By this name a server knows whose fields are whose. */
export const fieldManager = 'longshore-install';
