/** What is still to come would be newer than anything, also than itself when it is imported again; in unix seconds. */
export const isMoment = (time: number, now: number): boolean => time >= 1 && time <= now;
