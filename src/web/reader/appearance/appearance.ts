import { Injectable } from '@nestjs/common';

import {
  fieldProblem,
  type Problem,
  ValidationFailedError,
} from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Database } from '../../../platform/database/database.js';
import { type Message, message, type MessageKey } from '../../../platform/i18n/message.js';
import { ReaderPreferences } from '../../entities/reader-preferences.entity.js';

/** The options of each appearance setting, with the keys of their labels. The first option is the default. */
const CHOICES = {
  theme: {
    auto: 'appearance.theme.auto',
    light: 'appearance.theme.light',
    dark: 'appearance.theme.dark',
    sepia: 'appearance.theme.sepia',
  },
  size: {
    medium: 'appearance.size.medium',
    small: 'appearance.size.small',
    large: 'appearance.size.large',
    larger: 'appearance.size.larger',
    largest: 'appearance.size.largest',
  },
  width: {
    medium: 'appearance.width.medium',
    narrow: 'appearance.width.narrow',
    wide: 'appearance.width.wide',
  },
  face: { serif: 'appearance.face.serif', sans: 'appearance.face.sans' },
  spacing: {
    normal: 'appearance.spacing.normal',
    tight: 'appearance.spacing.tight',
    loose: 'appearance.spacing.loose',
  },
} as const satisfies Record<string, Readonly<Record<string, MessageKey>>>;

type AppearanceField = keyof typeof CHOICES;

/**
 * The appearance settings of a user for the reader. The style sheets define the appearance for each value (layout.eta).
 */
export type Appearance = Readonly<Record<AppearanceField, string>>;

const DEFAULT_APPEARANCE: Appearance = {
  theme: 'auto',
  size: 'medium',
  width: 'medium',
  face: 'serif',
  spacing: 'normal',
};

/** The value that names the sample article in the form, which otherwise contains the id of an item. */
export const SAMPLE_ARTICLE = 'sample';

/** A setting of the form, with its options. */
export interface AppearanceChoice {
  readonly name: AppearanceField;
  readonly label: Message;
  readonly options: readonly {
    readonly value: string;
    readonly label: Message;
    readonly isChosen: boolean;
  }[];
}

const isField = (name: string): name is AppearanceField => Object.hasOwn(CHOICES, name);
const APPEARANCE_FIELDS: readonly AppearanceField[] = Object.keys(CHOICES).filter(isField);

export const appearanceChoices = (appearance: Appearance): AppearanceChoice[] =>
  APPEARANCE_FIELDS.map((name) => ({
    name,
    label: message(`appearance.labels.${name}`),
    options: Object.entries<MessageKey>(CHOICES[name]).map(([value, label]) => ({
      value,
      label: message(label),
      isChosen: appearance[name] === value,
    })),
  }));

/** Reads and stores the appearance settings of users. */
@Injectable()
export class Appearances {
  constructor(private readonly database: Database) {}

  /** Returns the appearance settings of a user. This method is called for every page that a user sees (visitors.ts). */
  async of(userId: string): Promise<Appearance> {
    const kept = await this.database.manager.findOneBy(ReaderPreferences, { userId });
    const { theme, size, width, face, spacing } = kept ?? DEFAULT_APPEARANCE;
    return { theme, size, width, face, spacing };
  }

  /** @throws ValidationFailedError if a value is not one of the options */
  async keep(userId: string, form: unknown): Promise<void> {
    const chosen = { ...DEFAULT_APPEARANCE };
    const unknown: Problem[] = [];
    for (const name of APPEARANCE_FIELDS) {
      const value = textOf(form, name);
      if (Object.hasOwn(CHOICES[name], value)) {
        Object.assign(chosen, { [name]: value });
      } else {
        unknown.push(fieldProblem(name, 'must be one of those that the page offers'));
      }
    }
    if (unknown.length > 0) {
      throw new ValidationFailedError(unknown);
    }
    await this.database.manager.upsert(ReaderPreferences, { userId, ...chosen }, ['userId']);
  }
}
