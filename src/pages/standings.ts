import type { Standing } from '../oauth/authorization.js';
import type { Views } from './views.js';

/** What a page says of a request that nobody can answer any more. */
interface StandingMessage {
  readonly status: number;
  readonly heading: string;
  readonly text: (application: string) => string;
}

/** A page instead of a question. */
export type Message = Views['message'] & { readonly status: number };

export const UNKNOWN_CODE: Message = {
  status: 404,
  heading: 'This request is unknown',
  text: 'The address is incomplete, or the request was made too long ago. Go back to the application and begin again.',
};

export const FOREIGN_REDIRECT: Message = {
  status: 400,
  heading: 'This address does not fit the request',
  text: 'It names another place to go to than the application has named. Go back to the application and begin again.',
};

const CLOSED: Readonly<Record<Exclude<Standing, 'open'>, StandingMessage>> = {
  authorized: {
    status: 200,
    heading: 'Access given',
    text: (name) =>
      `${name} has access to your reading list. You can close this page and go back to ${name}.`,
  },
  rejected: {
    status: 200,
    heading: 'No access given',
    text: (name) => `${name} has not been given access. You can close this page.`,
  },
  used: {
    status: 410,
    heading: 'This request was answered already',
    text: (name) =>
      `${name} has fetched its access. Your account page shows which applications have access.`,
  },
  expired: {
    status: 410,
    heading: 'This request has expired',
    text: (name) => `Go back to ${name} and begin again.`,
  },
  disabled: {
    status: 403,
    heading: 'This application is switched off',
    text: (name) => `The administrator of this service does not let ${name} in.`,
  },
};

/** What became of the request of an application, as the person is told who has answered it. */
export function closedMessage(standing: keyof typeof CLOSED, application: string): Message {
  const { text, ...message } = CLOSED[standing];
  return { ...message, text: text(application) };
}

/** The same for anybody else who has the address: it is not their list. */
export const othersMessage = (standing: keyof typeof CLOSED, application: string): Message => ({
  ...closedMessage(standing, application),
  ...(standing === 'authorized' && {
    text: `${application} has access to the reading list of the person who answered this request.`,
  }),
});
