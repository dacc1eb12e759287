import { membersOf } from '../../common/openapi/member.js';
import { objectOf, oneOfTexts, text } from '../../common/openapi/schema.js';
import { BODY, EXAMPLE_CODE, oauthOperation, required } from './oauth.operations.js';
import { MetaRequest } from './oauth.requests.js';
import { NOBODYS, type WireMeta } from './request-meta.presenter.js';

export const META_OPERATION = oauthOperation({
  id: 'oauth.requestMeta',
  summary: 'Tell whose a code is',
  description:
    'What the page of the second step shows, for an app that asks the person itself. Whoever has the code may ask.',
  request: {
    name: 'MetaRequest',
    members: required(membersOf(MetaRequest), 'request_token'),
    description: BODY,
    examples: {
      known: {
        summary: 'A code to which somebody has agreed already',
        body: { request_token: EXAMPLE_CODE },
        answer: { ...NOBODYS, app_name: 'Reader', permission: 'retrieve,add,modify' },
      },
      unknown: {
        summary: 'A code of nobody',
        body: { request_token: 'none' },
        answer: NOBODYS,
      },
    },
  },
  answer: { description: 'The application that asks.', schema: 'Meta' },
  errors: ['code_missing'],
  schemas: {
    Meta: objectOf<WireMeta>({
      is_valid: oneOfTexts(['0', '1'], '1 while a person may answer.'),
      has_access_token: oneOfTexts(['0', '1'], '1 once the code was exchanged.'),
      app_name: text('The name of the application; empty for a code of nobody.'),
      app_description: text('Always empty.'),
      app_icon: text('Always empty.'),
      permission: text('What the application may do, with commas between.'),
    }),
  },
});
