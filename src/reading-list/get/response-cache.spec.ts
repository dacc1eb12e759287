import { configFrom } from '../../platform/config/config.js';
import { ResponseCache } from './response-cache.js';

const SECRET = 'a secret of at least 32 bytes: 1';

const keeping = (megabytes: number): ResponseCache =>
  new ResponseCache(
    configFrom({
      JWT_SECRET: SECRET,
      SESSION_SECRET: SECRET,
      ANSWER_CACHE_MB: String(megabytes),
    }),
  );

describe('ResponseCache', () => {
  it('gives an answer while the list has the version that it was read at', () => {
    const answers = keeping(1);
    const json = Buffer.from('{}');
    answers.store('question', { version: 7, size: 1, json });

    expect(answers.find('question', 7)?.json).toEqual(json);
    expect(answers.find('question', 8)).toBeUndefined();
    expect(answers.find('question', 6)).toBeUndefined();
    expect(answers.find('another', 7)).toBeUndefined();
  });

  it('forgets those that were used longest ago when it is full', () => {
    const answers = keeping(1);
    const questions = Array.from({ length: 30 }, (_, n) => `question ${n}`);
    for (const question of questions) {
      answers.store(question, { version: 1, size: 1, json: Buffer.alloc(50_000) });
      answers.find('question 0', 1);
    }

    const kept = questions.filter((question) => answers.find(question, 1) !== undefined);
    expect(kept).toHaveLength(19);
    expect(kept).toContain('question 0');
    expect(kept).toContain('question 29');
  });

  it('keeps no answer that would leave little room for others', () => {
    const answers = keeping(1);
    answers.store('question', { version: 1, size: 1, json: Buffer.alloc(62_500) });

    expect(answers.find('question', 1)).toBeUndefined();
  });

  it('holds no more memory than the answer takes', () => {
    const answers = keeping(1);
    answers.store('question', { version: 1, size: 1, json: Buffer.from('{}') });

    expect(answers.find('question', 1)?.json.buffer.byteLength).toBe(2);
  });

  it('counts what each answer takes beside its texts', () => {
    const answers = keeping(1);
    const questions = Array.from({ length: 5000 }, (_, n) => `question ${n}`);
    for (const question of questions) {
      answers.store(question, { version: 1, size: 1, json: Buffer.from('{}') });
    }

    const kept = questions.filter((question) => answers.find(question, 1) !== undefined);
    expect(kept.length).toBeLessThan(2000);
    expect(kept).toContain('question 4999');
  });

  it('caches nothing when it has no room', () => {
    const answers = keeping(0);
    answers.store('question', { version: 1, size: 1, json: Buffer.from('{}') });

    expect(answers.find('question', 1)).toBeUndefined();
  });
});
