/** The browser or program and the network address from which a request comes. */
export interface Origin {
  readonly device: string;
  readonly address: string;
}

export const UNKNOWN_ORIGIN: Origin = { device: '', address: '' };
