import { pino } from 'pino';
import { QueryFailedError } from 'typeorm';

import { createLogger, lineFormatter, NestLogger } from './logging.js';

const SECRET = 'hunter2';

function aLog(level = 'trace') {
  const lines: string[] = [];
  const logger = createLogger(level, undefined, { write: (line: string) => void lines.push(line) });
  return { logger, lines, nest: new NestLogger(logger) };
}

describe('lineFormatter', () => {
  it('writes the time in UTC, the level, the message and the facts in one line', async () => {
    const { logger, lines } = aLog();
    logger.warn({ worker: 'web 1', restartsInMs: 250 }, 'worker ended');

    const text = (await lineFormatter())(lines[0] ?? '');

    expect(text).toMatch(
      /^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] WARN: worker ended \{.*"web 1".*250.*\}\n$/,
    );
  });

  it('keeps hostile text away from the terminal', async () => {
    const { logger, lines } = aLog();
    logger.info({ path: '\u001b[2J' }, 'a\u001b[2J\u009b2J\u2028b');

    const text = (await lineFormatter())(lines[0] ?? '');

    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
    expect(text).toContain('\\u2028b');
  });
});

describe('createLogger', () => {
  it('writes one JSON object a line, with the time, and without machine and process', () => {
    const { logger, lines } = aLog();

    logger.info({ a: 1 }, 'a message');

    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      a: 1,
      msg: 'a message',
    });
  });

  it('keeps hostile text on its line and away from the terminal', () => {
    const { logger, lines } = aLog();

    logger.info('a\r\n{"level":60}\u001b[2J\u2028b');

    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n\u001b]/);
  });

  it('writes the SQL of a failed query without its values', () => {
    const { logger, lines } = aLog();
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: `Key (email)=(${SECRET}) already exists.`,
      where: `unnamed portal parameter $1 = '${SECRET}'`,
    });

    logger.error({ err: new QueryFailedError('INSERT INTO users', [SECRET], cause) }, 'failed');

    expect(lines[0]).toContain('duplicate key');
    expect(lines[0]).not.toContain(SECRET);
  });
});

describe('NestLogger', () => {
  it.each([
    ['fatal', 'fatal'],
    ['error', 'error'],
    ['warn', 'warn'],
    ['log', 'debug'],
    ['debug', 'debug'],
    ['verbose', 'trace'],
  ] as const)('hands %s on as %s', (method, level) => {
    const { nest, lines } = aLog();

    nest[method]('a message', 'Somewhere');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: pino.levels.values[level],
      context: 'Somewhere',
      msg: 'a message',
    });
  });

  it('keeps the stack of an error', () => {
    const { nest, lines } = aLog();

    nest.error(new Error('broken'), 'Somewhere');

    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      message: 'broken',
      stack: expect.stringContaining('logging.spec'),
    });
  });

  it('hands facts on as info', () => {
    const { nest, lines } = aLog('info');

    nest.log({ msg: 'pages', read: 3 }, 'Somewhere');

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: pino.levels.values.info,
      context: 'Somewhere',
      msg: 'pages',
      read: 3,
    });
  });

  it('says nothing of mounted routes at the usual level', () => {
    const { nest, lines } = aLog('info');

    nest.log('Mapped {/login, POST} route', 'RouterExplorer');

    expect(lines).toEqual([]);
  });
});
