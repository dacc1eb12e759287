import {
  NotDeliveredError,
  UNKNOWN_FAILURE,
} from '../../src/apis/e-reader-mail/e-reader-mail.errors.js';
import { ListDigestLetters } from '../../src/apis/e-reader-mail/list-digests/list-digest-letters.js';
import { type DigestReader, ListDigestWorld } from '../support/list-digest-world.js';
import { shownText } from '../support/page-visitor.js';

let world: ListDigestWorld;
let refusedTo = '';

beforeAll(async () => {
  world = await ListDigestWorld.begin((raw) =>
    refusedTo !== '' && raw.includes(refusedTo) ? { code: 550, text: 'no such user' } : undefined,
  );
});
afterAll(() => world.close());
beforeEach(() => {
  refusedTo = '';
});

const shown = async ({ visitor, editPath }: DigestReader): Promise<string> =>
  shownText(await visitor.open(editPath).expect(200));

describe('an attempt to send the digest of a list', () => {
  it('is sent again at most once if the process dies before it notes the mail', async () => {
    const ada = await world.settled();
    await world.addItems(ada, 'first');
    await world.sendNext(ada);
    await world.app.database.query(
      `UPDATE list_digests SET claim_id = gen_random_uuid(), attempts = 1, next_at = $2 WHERE list_id = $1`,
      [ada.id, world.app.clock.now()],
    );
    await world.app.database.query('DELETE FROM list_digest_items WHERE list_id = $1', [ada.id]);

    await world.sendNext(ada);
    await world.sendNext(ada);

    expect(world.titlesSentTo(ada)).toEqual([['first'], ['first']]);
  });

  it('is tried again with pauses, holds up no other user, and is turned off in the end', async () => {
    const ada = await world.settled();
    const eve = await world.settled();
    await world.addItems(ada, 'first');
    await world.addItems(eve, 'first');
    refusedTo = ada.api.user.email;

    await world.sendNext(ada);

    expect(world.mails(eve)).toHaveLength(1);
    expect(await shown(ada)).toMatch(
      /The latest email was not sent, .* The mail server rejected the email\. Next attempt: /,
    );
    const pauses: number[] = [];
    for (let at = await world.row(ada); at?.next_at instanceof Date; at = await world.row(ada)) {
      pauses.push(Math.round((at.next_at.getTime() - world.app.clock.now().getTime()) / 60_000));
      await world.sendNext(ada);
    }
    expect(pauses).toEqual([5, 20, 60, 240, 720, 1440, 1440]);
    expect(await shown(ada)).toContain('Satchel could not send this digest several times');

    refusedTo = '';
    await world.save(ada);
    expect(await shown(ada)).not.toContain('was not sent');
    await world.sendNext(ada);
    expect(world.titlesSentTo(ada)).toEqual([['first']]);
  });

  it('stores no failure if the user changes the digest meanwhile', async () => {
    const ada = await world.settled();
    await world.addItems(ada, 'first');
    const send = jest
      .spyOn(ListDigestLetters.prototype, 'send')
      .mockImplementationOnce(async () => {
        await world.save(ada, { items: '5' });
        throw new NotDeliveredError(UNKNOWN_FAILURE);
      });

    await world.sendNext(ada);

    expect(send).toHaveBeenCalledTimes(1);
    send.mockRestore();
    expect(await world.row(ada)).toMatchObject({ attempts: 0, last_error: '' });
    expect(await shown(ada)).toMatch(/Next digest: /);
    await world.sendNext(ada);
    expect(world.titlesSentTo(ada)).toEqual([['first']]);
  });
});
