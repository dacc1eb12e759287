/** The result of one check of `satchel doctor`, with advice for the operator. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly detail: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail });
export const warning = (check: string, detail: string): Finding => ({
  check,
  state: 'warning',
  detail,
});
export const failed = (check: string, detail: string): Finding => ({
  check,
  state: 'fault',
  detail,
});
