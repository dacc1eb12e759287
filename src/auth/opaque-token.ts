import { createHash, randomBytes } from 'node:crypto';

const BYTES = 13;
const GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{6})$/;
const SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{6}$/;

/**
 * Returns the hash under which a token or a key is stored. SHA-256 without a salt is safe here, because random tokens
 * cannot be guessed.
 */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns a token with 104 random bits, in the format of the original Pocket API. */
export const newOpaqueToken = (): string =>
  randomBytes(BYTES).toString('hex').replace(GROUPS, '$1-$2-$3-$4-$5');

export const isOpaqueToken = (text: string): boolean => SHAPE.test(text);
