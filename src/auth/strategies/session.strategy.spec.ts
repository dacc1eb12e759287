import type { Request } from 'express';

import { isFromOwnSite } from './session.strategy.js';

const request = (headers: Record<string, string>, protocol = 'http'): Request =>
  ({ headers, protocol }) as unknown as Request;

const HOST = 'localhost:3000';
const PUBLIC = new URL('https://satchel.example/lists?x=1');

describe('isFromOwnSite', () => {
  it('believes a program that names no origin', () => {
    expect(isFromOwnSite(request({ host: HOST }), undefined)).toBe(true);
    expect(isFromOwnSite(request({ host: HOST }), PUBLIC)).toBe(true);
  });

  it.each([
    ['http://localhost:3000', 'http', true],
    ['https://localhost:3000', 'https', true],
    ['https://localhost:3000', 'http', false],
    ['http://localhost:3001', 'http', false],
    ['http://localhost', 'http', false],
    ['http://localhost:3000.evil.example', 'http', false],
    ['http://evil.example', 'http', false],
    ['null', 'http', false],
    ['', 'http', false],
    ['localhost:3000', 'http', false],
  ])('compares the origin %j with its own host over %s: %s', (origin, protocol, expected) => {
    expect(isFromOwnSite(request({ host: HOST, origin }, protocol), undefined)).toBe(expected);
  });

  it.each([
    ['https://satchel.example', true],
    ['http://satchel.example', false],
    ['https://satchel.example:8443', false],
    ['https://evil.satchel.example', false],
    ['https://satchel.example.evil.example', false],
    ['http://localhost:3000', false],
    ['null', false],
  ])('compares the origin %j with PUBLIC_URL: %s', (origin, expected) => {
    expect(isFromOwnSite(request({ host: HOST, origin }), PUBLIC)).toBe(expected);
  });

  it('does not let a Host header stand in for PUBLIC_URL', () => {
    const planted = request({ host: 'evil.example', origin: 'https://evil.example' }, 'https');

    expect(isFromOwnSite(planted, PUBLIC)).toBe(false);
  });

  it('takes no origin for its own without a Host', () => {
    expect(isFromOwnSite(request({ origin: 'http://localhost:3000' }), undefined)).toBe(false);
    expect(isFromOwnSite(request({ origin: 'null' }), undefined)).toBe(false);
  });
});
