export interface HostGateLimits {
  readonly perHost: number;
  readonly overall: number;
}

export const DEFAULT_HOST_GATE_LIMITS: HostGateLimits = { perHost: 2, overall: 8 };

/** Between back-offs that a host did not measure itself. */
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 3_600_000;

interface Host {
  inside: number;
  restsUntilMs: number;
  refusals: number;
}

/**
 * Keeps a process from asking one host for too much at once, or again while the host asked for rest. Whoever was let in
 * leaves. Remembers only hosts that are being visited or rest.
 */
export class HostGate {
  readonly #limits: HostGateLimits;
  readonly #hosts = new Map<string, Host>();
  #inside = 0;

  constructor(limits: HostGateLimits = DEFAULT_HOST_GATE_LIMITS) {
    this.#limits = limits;
  }

  /** Lets in, or tells when to come again: 0 when that depends on others leaving. */
  enter(host: string, nowMs: number): 'in' | { readonly notBeforeMs: number } {
    this.#forgetRested(nowMs);
    const known = this.#hosts.get(host) ?? { inside: 0, restsUntilMs: 0, refusals: 0 };
    if (known.restsUntilMs > nowMs) {
      return { notBeforeMs: known.restsUntilMs };
    }
    if (known.inside >= this.#limits.perHost || this.#inside >= this.#limits.overall) {
      return { notBeforeMs: 0 };
    }
    known.inside += 1;
    this.#inside += 1;
    this.#hosts.set(host, known);
    return 'in';
  }

  leave(host: string): void {
    const known = this.#hosts.get(host);
    if (known === undefined || known.inside === 0) {
      return;
    }
    known.inside -= 1;
    this.#inside -= 1;
  }

  /** The host asked for rest (429, 503): as long as it said, else twice as long each time. */
  rest(host: string, nowMs: number, retryAfterSeconds?: number): void {
    const known = this.#hosts.get(host) ?? { inside: 0, restsUntilMs: 0, refusals: 0 };
    const own = Math.min(FIRST_REST_MS * 2 ** known.refusals, LONGEST_REST_MS);
    known.refusals += 1;
    known.restsUntilMs = Math.max(
      known.restsUntilMs,
      nowMs + (retryAfterSeconds === undefined ? own : retryAfterSeconds * 1000),
    );
    this.#hosts.set(host, known);
  }

  /** The host answered as it should. */
  answered(host: string): void {
    const known = this.#hosts.get(host);
    if (known !== undefined) {
      known.refusals = 0;
    }
  }

  get size(): number {
    return this.#hosts.size;
  }

  /** A host that rested keeps its count of refusals for as long again. */
  #forgetRested(nowMs: number): void {
    for (const [name, { inside, restsUntilMs, refusals }] of this.#hosts) {
      const memoryMs = refusals === 0 ? 0 : LONGEST_REST_MS;
      if (inside === 0 && restsUntilMs + memoryMs <= nowMs) {
        this.#hosts.delete(name);
      }
    }
  }
}
