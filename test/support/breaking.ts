/* eslint-disable @typescript-eslint/no-unsafe-argument -- answers are broken whatever they hold */
import type { Breakage, ProxiedAnswer, ProxiedRequest } from './breaking-proxy.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are broken whatever they hold
export type Json = Record<string, any>;
type Is = (request: ProxiedRequest) => boolean;

const refusal = (status: number): ProxiedAnswer => ({
  ...{ status, headers: { 'content-type': 'application/json' }, text: '{"status":0}' },
});
export const refusing = (is: Is, status = 400): Breakage => ({
  request: (request) => (is(request) ? refusal(status) : undefined),
});
export const path =
  (part: string, method = ''): Is =>
  (request) =>
    request.path.includes(part) && request.method.startsWith(method);
export const hasBody =
  (pattern: RegExp): Is =>
  ({ body }) =>
    pattern.test(body);
export const isOfType =
  (type: string): Is =>
  ({ headers }) =>
    String(headers['content-type']).includes(type);
export const changing = (pattern: RegExp, replacement: string): Breakage => ({
  request: (request) => {
    request.body = request.body.replaceAll(pattern, replacement);
    return undefined;
  },
});
export const withoutQuery = (is: Is): Breakage => ({
  request: (request) => {
    request.path = is(request) ? request.path.split('?')[0]! : request.path;
    return undefined;
  },
});
export const textOf = (change: (text: string) => string): Breakage => ({
  answer: (answer) => {
    answer.text = change(answer.text);
  },
});
export const bodyOf = (change: (body: Json) => void): Breakage =>
  textOf((text) => {
    if (!text.startsWith('{')) {
      return text;
    }
    const body = JSON.parse(text) as Json;
    change(body);
    return JSON.stringify(body);
  });
export const eachItem = (change: (item: Json) => void): Breakage =>
  bodyOf(({ list }) => {
    Object.values<Json>(list ?? {}).forEach(change);
  });
export const headersOf = (
  change: (headers: ProxiedAnswer['headers']) => void,
  from = 0,
): Breakage => ({
  answer: ({ status, headers }) => {
    if (status >= from) {
      change(headers);
    }
  },
});
export const statusOf = (from: number, to: number): Breakage => ({
  answer: (answer) => {
    answer.status = answer.status === from ? to : answer.status;
  },
});
export const reversed = (list: object): object =>
  Object.fromEntries(Object.entries(list).reverse());

export const FAILURES_ARE_200: Breakage = {
  answer: (answer) => {
    answer.status = 200;
  },
};
export const NO_ERROR_CODE = headersOf((headers) => delete headers['x-error-code'], 400);
