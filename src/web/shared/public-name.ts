import type { User } from '../../auth/entities/user.entity.js';

/** Matches the part of an email address after its local part. */
const MAIL_HOST = /(?<=\S)@\S+/g;

/** Returns the name of a user for visitors. Some issuers send an email address as the name, which stays private. */
export const publicNameOf = ({ name }: Pick<User, 'name'>): string =>
  name.replaceAll(MAIL_HOST, '');
