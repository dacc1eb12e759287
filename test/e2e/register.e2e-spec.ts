import { AccountApi, aPerson, PASSWORD } from '../support/account-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

describe('POST /register', () => {
  let app: TestApp;
  let api: AccountApi;

  beforeAll(async () => {
    app = await aTestApp();
    api = new AccountApi(app);
  });
  afterAll(() => app.close());

  it('answers 201 with the user and stores nothing but a bcrypt hash of the password', async () => {
    const person = aPerson();

    const response = await api.post('/register', person).expect(201);

    expect(response.body).toEqual({
      user_id: expect.stringMatching(/^\d+$/),
      name: person.name,
      email: person.email,
    });
    const [row] = await app.database.query('SELECT * FROM users WHERE email = $1', [person.email]);
    expect(row!['password_hash']).toMatch(/^\$2b\$04\$.{53}$/);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });
});
