import request from 'supertest';

import { aTestApp } from '../support/test-app.js';

const PATH = '/.well-known/security.txt';

describe('security.txt', () => {
  it('contains the contact of the operator, and expires within a year', async () => {
    const app = await aTestApp({
      config: {
        securityContact: 'mailto:security@example.com',
        publicUrl: new URL('https://home.example.com/satchel'),
      },
    });

    const { text } = await request(app.url)
      .get(PATH)
      .expect(200)
      .expect('content-type', 'text/plain; charset=utf-8');
    const below = await request(app.url).get(`/satchel${PATH}`).expect(200);

    const [contact, expires = '', canonical, end] = text.split('\n');
    expect([contact, canonical, end]).toEqual([
      'Contact: mailto:security@example.com',
      'Canonical: https://home.example.com/satchel/.well-known/security.txt',
      '',
    ]);
    const daysLeft =
      (Date.parse(expires.replace('Expires: ', '')) - app.clock.now().getTime()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(30);
    expect(daysLeft).toBeLessThan(365);
    expect(below.text).toContain(canonical);
    await app.close();
  });

  it('returns 404 without a contact', async () => {
    const app = await aTestApp();

    await request(app.url).get(PATH).expect(404);

    await app.close();
  });
});
