import { createHash, randomBytes } from 'node:crypto';

const BYTES = 13;
const GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{6})$/;
const SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{6}$/;

/** Returns the stored form of a token or a key. Random bits need no slow hash: a plain SHA-256 cannot be reversed. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns 104 random bits in the format of the codes and access tokens of the original Pocket API. */
export const newOpaqueToken = (): string =>
  randomBytes(BYTES).toString('hex').replace(GROUPS, '$1-$2-$3-$4-$5');

export const isOpaqueToken = (text: string): boolean => SHAPE.test(text);
