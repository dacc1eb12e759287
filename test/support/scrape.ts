/** The metrics of a scrape: the value of each sample, by its name and labels, such as `up{job="a"}`. */
export class Scrape {
  private readonly samples: ReadonlyMap<string, number>;

  constructor(readonly text: string) {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.samples = new Map(
      lines.map((line) => {
        const at = line.lastIndexOf(' ');
        return [withSortedLabels(line.slice(0, at)), Number(line.slice(at + 1))];
      }),
    );
  }

  /** Returns the value of a sample, or undefined if the scrape does not contain it. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const texts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.samples.get(texts.length === 0 ? name : `${name}{${texts.sort().join(',')}}`);
  }

  get names(): string[] {
    return [...this.samples.keys()];
  }
}

const withSortedLabels = (sample: string): string =>
  sample.replace(/\{(.*)\}$/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`);

export const METRICS_TOKEN = 'a-token-for-the-metrics';

/** The settings of a service that exposes its metrics at /metrics. */
export const WITH_METRICS = { metrics: { listener: undefined, token: METRICS_TOKEN } } as const;

/** Reads the metrics at /metrics. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`, {
    headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
  });
  if (response.status !== 200) {
    throw new Error(`/metrics answers ${response.status}`);
  }
  return new Scrape(await response.text());
}
