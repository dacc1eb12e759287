// Prints the suites that have been running for minutes. The log of a run that never ends then names the suite to blame.
const EVERY_MS = 60_000;
const LONG_MS = 5 * 60_000;

export default class StillRunning {
  #begunAt = new Map();
  #lastAt = Date.now();
  #timer;

  onRunStart() {
    this.#timer = setInterval(() => this.#print(), EVERY_MS).unref();
  }

  onTestFileStart({ path }) {
    this.#note();
    this.#begunAt.set(path, this.#lastAt);
  }

  onTestFileResult({ path }) {
    this.#note();
    this.#begunAt.delete(path);
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  #note() {
    this.#lastAt = Date.now();
  }

  #print() {
    const now = Date.now();
    const minutes = (since) => `${Math.round((now - since) / 60_000)} min`;
    for (const [path, begunAt] of this.#begunAt) {
      if (now - begunAt >= LONG_MS) {
        process.stderr.write(`still running after ${minutes(begunAt)}: ${path}\n`);
      }
    }
    if (this.#begunAt.size === 0 && now - this.#lastAt >= LONG_MS) {
      process.stderr.write(
        `no suite has run for ${minutes(this.#lastAt)}, and Jest has not ended\n`,
      );
    }
  }
}
