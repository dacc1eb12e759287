/** The paths of the v3 API, its aliases and its devices, whose clients read headers of their own (docs/decisions/0007). */
export const isV3Path = (path: string): boolean => /^\/(?:v[13]|v3beta|api\/kobo)\//i.test(path);
