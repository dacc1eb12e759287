import { ProtectedVisitor } from '../support/authenticator.js';
import { SecurityMailWorld, subjectOf } from '../support/security-mail-world.js';

let world: SecurityMailWorld;

beforeAll(async () => {
  world = await SecurityMailWorld.begin();
});
afterAll(() => world.close());

it('sends a mail about each change of the second factor, and about each used recovery code', async () => {
  const resume = SecurityMailWorld.pause();
  const ada = await ProtectedVisitor.of(world.app, await world.user());
  await ada.login(ada.recoveryCodes[0]).expect(200);
  await ada.change('codes', { otp: ada.authenticator.nextCode() });
  await ada.change('off', { otp: ada.authenticator.nextCode() });
  resume();
  // The test has stopped the clock of the service, but not the clock of the database.
  world.app.clock.advance(600);

  await world.server.mailTo(ada.user.email, 4);

  expect(world.server.sentTo(ada.user.email).map(subjectOf).sort()).toEqual([
    'Satchel: Recovery code used',
    'Satchel: Recovery codes replaced',
    'Satchel: Second factor turned off',
    'Satchel: Second factor turned on',
  ]);
});
