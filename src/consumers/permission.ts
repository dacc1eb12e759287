/** What a client application may do for the people who use it (specification, "Authentication"). */
export enum Permission {
  /** `/v3/get` */
  Retrieve = 'retrieve',
  /** `/v3/add` */
  Add = 'add',
  /** `/v3/send` */
  Modify = 'modify',
}

export const ALL_PERMISSIONS: readonly Permission[] = Object.values(Permission);
