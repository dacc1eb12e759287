/** The paths of the v3 API and its aliases, whose clients read headers of their own (docs/decisions/0007). */
export const isV3Path = (path: string): boolean => /^\/v[13]\//i.test(path);
