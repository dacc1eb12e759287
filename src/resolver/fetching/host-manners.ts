/** How hosts are treated while documents are fetched from them: asked for little at once, and not while they rest. */
export interface HostManners {
  /** Asks the host of the URL when its turn has come, and no more when the signal has been aborted: then it rejects. */
  inTurn<T>(url: URL, signal: AbortSignal, ask: () => Promise<T>): Promise<T>;
  /** For how many seconds the host that a redirect leads to wants to be left alone; 0 when it may be asked. */
  restOf(url: URL): Promise<number>;
}

/** For fetches that are few by themselves. */
export const UNBOUNDED: HostManners = {
  inTurn: (_url, _signal, ask) => ask(),
  restOf: () => Promise.resolve(0),
};
