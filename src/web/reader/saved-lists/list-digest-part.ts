import { Injectable } from '@nestjs/common';

import { ListDigests } from '../../../apis/e-reader-mail/list-digests/list-digests.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import type { ListDigest } from '../../../reading-list/entities/list-digest.entity.js';
import type { SavedList } from '../../../reading-list/entities/saved-list.entity.js';
import { viewOf } from '../../../reading-list/saved-lists/saved-list-view.js';
import { type DayChoice, dayChoices, zonesWith } from '../../account/e-reader/e-reader.view.js';
import type { FormError } from '../../forms.js';
import { digestChoiceOf, type ListDigestForm, storedDigestForm } from './list-digest-form.js';

/** The results of the latest attempts to send a digest. */
interface DigestStatus {
  readonly isGivenUp: boolean;
  /** The time of the next digest. Undefined if the digest is off, is being sent, or is tried again. */
  readonly next: Date | undefined;
  /** The time of the next attempt after a failure. */
  readonly retry: Date | undefined;
  readonly sent: { readonly at: Date; readonly count: number } | undefined;
  readonly failed: { readonly at: Date; readonly text: string } | undefined;
}

/** The part of the page of a list about its digest. */
export interface ListDigestPart {
  /** False if the service sends no mail. */
  readonly isOn: boolean;
  readonly email: string;
  readonly isConfirmed: boolean;
  /** False if this version does not understand the conditions of the list. */
  readonly isReadable: boolean;
  readonly hasEReader: boolean;
  readonly form: ListDigestForm;
  readonly days: readonly DayChoice[];
  readonly zones: readonly string[];
  readonly status: DigestStatus | undefined;
  readonly errors: readonly FormError[];
}

/** A form that was rejected, and the reasons. */
export interface RefusedDigest {
  readonly form: ListDigestForm;
  readonly errors: readonly FormError[];
}

/** Shows and changes the digests of a user's lists. */
@Injectable()
export class ListDigestParts {
  constructor(private readonly digests: ListDigests) {}

  /** Returns the part of a list. After a rejected form, the fields are those of this form. */
  async of(user: User, list: SavedList, refused?: RefusedDigest): Promise<ListDigestPart> {
    const digest = await this.digests.of({ userId: user.id, listId: list.id });
    const form = refused?.form ?? storedDigestForm(digest, user.timeZone);
    return {
      isOn: this.digests.isOn,
      email: user.email,
      isConfirmed: user.emailVerifiedAt !== null,
      isReadable: viewOf(list) !== undefined,
      hasEReader: await this.digests.hasEReader(user.id),
      form,
      days: dayChoices(form),
      zones: zonesWith(form.zone),
      status: digest && statusOf(digest),
      errors: refused?.errors ?? [],
    };
  }

  /**
   * Stores the settings of a digest, and turns it on or off.
   * @throws ValidationFailedError if a field is invalid
   */
  async save({ id: userId }: User, { id: listId }: SavedList, form: ListDigestForm): Promise<void> {
    await this.digests.keep({ userId, listId }, digestChoiceOf(form), form.digest);
  }
}

function statusOf(digest: ListDigest): DigestStatus {
  const { nextAt, claimId, attempts, lastSentAt, lastCount, lastFailedAt, lastError } = digest;
  const waitsUntil = claimId === null ? (nextAt ?? undefined) : undefined;
  const isRetry = attempts > 0;
  return {
    isGivenUp: digest.isGivenUp,
    next: isRetry ? undefined : waitsUntil,
    retry: isRetry ? waitsUntil : undefined,
    sent: lastSentAt === null ? undefined : { at: lastSentAt, count: lastCount },
    failed: lastFailedAt === null ? undefined : { at: lastFailedAt, text: lastError },
  };
}
