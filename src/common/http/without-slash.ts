/** A slash at the end of a path makes no other path of it, as with routes. */
export const withoutSlash = (path: string): string => path.replace(/\/$/, '');
