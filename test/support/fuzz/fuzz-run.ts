import type { ResponseObject } from 'openapi3-ts/oas31';
import pLimit from 'p-limit';
import { FormData, Pool } from 'undici';

import type { ApiDescription } from '../api-document.js';
import { WORD_OF_BOB } from './fuzz-world.js';
import type { FuzzedRequest, Route } from './fuzzed-requests.js';

/** The slowest answer that a request of any content may get. */
const LONGEST_MS = 2000;
/** More findings of the same kind teach nothing. */
const MOST_FINDINGS = 30;

/**
 * No failures of the service: a full list, a page that is not fetched yet, more exports or books at once than are
 * allowed, and a busy machine that answers the check of the database late.
 */
const isExpected = ({ path }: Route, { status, text }: Answer): boolean =>
  status === 507 ||
  (status === 503 &&
    (path === '/ready' ||
      text.includes('The page is not read yet') ||
      (/export|epub/.test(path) && text.includes('is busy'))));

const isLasting = ({ route }: FuzzedRequest): boolean =>
  !/logout|leave|sign-out|sessions|password|account\/delete|refresh/.test(route.path);

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly ms: number;
}

/** Sends requests and collects the answers that break a promise. */
export class FuzzRun {
  readonly findings: string[] = [];
  private readonly statuses = new Map<number, number>();
  private readonly slow: string[] = [];
  private slowestMs = 0;
  private readonly pool: Pool;
  private readonly limit;

  constructor(
    url: string,
    private readonly description: ApiDescription,
    connections: number,
  ) {
    this.pool = new Pool(url, { connections });
    this.limit = pLimit(connections);
  }

  /** Requests that may end the login come last: all later ones would be refused. */
  async sendAll(requests: readonly FuzzedRequest[]): Promise<void> {
    const [lasting, ending] = [
      requests.filter(isLasting),
      requests.filter((one) => !isLasting(one)),
    ];
    await Promise.all([...lasting, ...ending].map((one) => this.limit(() => this.send(one))));
  }

  /** How many answers came by status, the slowest one, and the requests that took too long. */
  summary(): string {
    const statuses = [...this.statuses].toSorted(([one], [other]) => one - other);
    const counts = statuses.map(([status, count]) => `${status}: ${count}`).join(', ');
    return [`${counts}; slowest ${Math.round(this.slowestMs)} ms`, ...this.slow].join('\n');
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private async send(request: FuzzedRequest): Promise<void> {
    const answer = await this.answerTo(request);
    if (typeof answer === 'string') {
      this.report(request, answer);
      return;
    }
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, answer.ms);
    if (answer.ms > LONGEST_MS) {
      this.slow.push(`${Math.round(answer.ms)} ms: ${shown(request)}`);
    }
    for (const fault of this.faults(request, answer)) {
      this.report(request, fault);
    }
  }

  private async answerTo({
    method,
    target,
    headers,
    body,
  }: FuzzedRequest): Promise<Answer | string> {
    const sentAt = performance.now();
    try {
      const response = await this.pool.request({
        ...{ path: target, method: method, headers, body: body ?? null },
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.body.text();
      const type = String(response.headers['content-type'] ?? '').split(';')[0] ?? '';
      return { status: response.statusCode, type, text, ms: performance.now() - sentAt };
    } catch (error) {
      return `no answer: ${String(error)}`;
    }
  }

  private faults({ route, method }: FuzzedRequest, answer: Answer): string[] {
    const { status, text } = answer;
    const failed = status >= 500 && !isExpected(route, answer);
    const faults = failed ? [`status ${status}: ${shownText(text)}`] : [];
    if (text.includes(WORD_OF_BOB)) {
      faults.push('the answer contains a text of another user');
    }
    return route.documented && method !== 'HEAD'
      ? [...faults, ...this.undocumented(route, answer)]
      : faults;
  }

  private undocumented({ path, method }: Route, { status, type, text }: Answer): string[] {
    const name = this.description.answerName(path, method, status);
    const described = this.description.document.components?.responses?.[name ?? ''] as
      ResponseObject | undefined;
    if (name === undefined || described === undefined) {
      return [`status ${status} is not documented: ${text.slice(0, 200)}`];
    }
    if (described.content === undefined) {
      return text === '' ? [] : [`${name} has no documented body: ${text.slice(0, 200)}`];
    }
    if (!(type in described.content)) {
      return [`${name} is not documented as ${type}`];
    }
    const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
    const place = ['responses', name, 'content', type, 'schema'];
    return this.description.faults(place, body).map((fault) => `${name}: ${fault}`);
  }

  private report(request: FuzzedRequest, fault: string): void {
    if (this.findings.length < MOST_FINDINGS) {
      this.findings.push(`${fault}\n    ${shown(request)}`);
    }
  }
}

/** The text of a page without its head and its tags. */
const shownText = (text: string): string =>
  text
    .replace(/^.*<main/s, '')
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .slice(0, 400);

/** A request as a line of at most 1,500 characters. */
function shown({ method, target, headers, body }: FuzzedRequest): string {
  const sent = body instanceof FormData ? JSON.stringify([...body.entries()]) : (body ?? '');
  return `${method} ${target.slice(0, 600)} ${JSON.stringify(headers).slice(0, 200)} ${sent.slice(0, 700)}`;
}
