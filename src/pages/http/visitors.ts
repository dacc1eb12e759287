import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import type { User } from '../../auth/entities/user.entity.js';
import { Sessions } from '../../auth/http/sessions.js';
import { Identities } from '../../auth/identities.js';
import { subjectOf } from '../../auth/session/session-subject.js';
import { textOf } from '../fields.js';

/** Tells who looks at a page, and lets them in and out. */
@Injectable()
export class Visitors {
  constructor(
    private readonly identities: Identities,
    private readonly sessions: Sessions,
  ) {}

  /** Undefined for somebody who has not logged in, or whose session was ended. */
  async find({ session }: Request): Promise<User | undefined> {
    const subject = subjectOf(session);
    return subject && this.identities.bySubject(subject);
  }

  /** Begins a session for whoever the form says, if the password is theirs; tells whether it is. */
  async logIn(request: Request): Promise<boolean> {
    const body: unknown = request.body;
    const user = await this.identities.byPassword(textOf(body, 'email'), textOf(body, 'password'));
    if (user !== undefined) {
      await this.sessions.begin(request, user);
    }
    return user !== undefined;
  }

  async welcome(request: Request, user: User): Promise<void> {
    await this.sessions.begin(request, user);
  }

  /** This browser forgets who was logged in. */
  async leave(request: Request, response: Response): Promise<void> {
    await this.sessions.leave(request, response);
  }
}
