import express, { type RequestHandler } from 'express';
import supertest from 'supertest';

import { atPath, belowPath } from './at-path.js';

const tells =
  (name: string): RequestHandler =>
  (_request, response) =>
    void response.send(name);

const HANDLERS = new Map([
  ['/list', tells('list')],
  ['/list/notes', tells('notes')],
]);

async function answerTo(path: string, handler: RequestHandler): Promise<string> {
  const app = express().enable('case sensitive routing').use(handler, tells('none'));
  return (await supertest(app).get(path)).text;
}

describe('atPath', () => {
  it.each([
    ['/list', 'list'],
    ['/list/?page=2', 'list'],
    ['/list/7', 'none'],
    ['/lists', 'none'],
  ])('gives %s to the handler %s', async (path, name) => {
    expect(await answerTo(path, atPath(HANDLERS))).toBe(name);
  });
});

describe('belowPath', () => {
  it.each([
    ['/list', 'list'],
    ['/list/', 'list'],
    ['/list/7/edit?page=2', 'list'],
    ['/list/notes/7', 'notes'],
    ['/lists', 'none'],
    ['/List', 'none'],
    ['/', 'none'],
    ['/list//notes', 'list'],
  ])('gives %s to the handler %s', async (path, name) => {
    expect(await answerTo(path, belowPath(HANDLERS))).toBe(name);
  });

  it('takes a path of thousands of parts', async () => {
    const handler = belowPath(HANDLERS);

    expect(await answerTo('/'.repeat(15_000), handler)).toBe('none');
    expect(await answerTo(`/list${'/a'.repeat(7000)}`, handler)).toBe('list');
  });
});
