import { Injectable } from '@nestjs/common';

import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Database } from '../../../platform/database/database.js';
import { type Message, message, type MessageKey } from '../../../platform/i18n/message.js';
import { ReaderPreferences } from '../../entities/reader-preferences.entity.js';

/** The options of each appearance setting, with the keys of their labels, in the order of the form. */
const CHOICES = {
  theme: {
    auto: 'appearance.theme.auto',
    light: 'appearance.theme.light',
    dark: 'appearance.theme.dark',
    sepia: 'appearance.theme.sepia',
  },
  size: {
    small: 'appearance.size.small',
    medium: 'appearance.size.medium',
    large: 'appearance.size.large',
    larger: 'appearance.size.larger',
    largest: 'appearance.size.largest',
  },
  width: {
    narrow: 'appearance.width.narrow',
    medium: 'appearance.width.medium',
    wide: 'appearance.width.wide',
  },
  face: {
    serif: 'appearance.face.serif',
    sans: 'appearance.face.sans',
    legible: 'appearance.face.legible',
  },
  spacing: {
    tight: 'appearance.spacing.tight',
    normal: 'appearance.spacing.normal',
    loose: 'appearance.spacing.loose',
  },
  alignment: {
    start: 'appearance.alignment.start',
    justify: 'appearance.alignment.justify',
  },
} as const satisfies Record<string, Readonly<Record<string, MessageKey>>>;

type AppearanceField = keyof typeof CHOICES;

/** The layouts of the list. The first layout is the default. */
const LAYOUTS: readonly string[] = ['list', 'compact', 'cards'];
const [DEFAULT_LAYOUT = ''] = LAYOUTS;

/**
 * The appearance settings of a user for the reader. The style sheets define the appearance for each value (layout.eta).
 */
export type Appearance = Readonly<Record<AppearanceField | 'layout', string>>;

const DEFAULT_APPEARANCE: Readonly<Record<AppearanceField, string>> = {
  theme: 'auto',
  size: 'medium',
  width: 'medium',
  face: 'serif',
  spacing: 'normal',
  alignment: 'start',
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
    const { theme, size, width, face, spacing, alignment } = kept ?? DEFAULT_APPEARANCE;
    const layout = kept?.layout ?? DEFAULT_LAYOUT;
    return { theme, size, width, face, spacing, alignment, layout };
  }

  /**
   * Stores the settings in a form. Settings that the form lacks do not change, because a page that was opened before an
   * update of Satchel lacks new settings.
   * @throws ValidationFailedError if a value is not one of the options
   */
  async keep(userId: string, form: unknown): Promise<void> {
    const sent = APPEARANCE_FIELDS.map((name) => ({ name, value: textOf(form, name) })).filter(
      ({ value }) => value !== '',
    );
    const unknown = sent.filter(({ name, value }) => !Object.hasOwn(CHOICES[name], value));
    if (sent.length === 0 || unknown.length > 0) {
      throw new ValidationFailedError(
        unknown.map(({ name }) => fieldProblem(name, 'must be one of those that the page offers')),
      );
    }
    const chosen: Partial<Record<AppearanceField, string>> = {};
    sent.forEach(({ name, value }) => {
      chosen[name] = value;
    });
    await this.database.manager.upsert(ReaderPreferences, { ...chosen, userId }, ['userId']);
  }

  /**
   * Stores the layout of the list, and returns its name.
   * @throws ValidationFailedError if the layout is not one of LAYOUTS
   */
  async keepLayout(userId: string, form: unknown): Promise<string> {
    const layout = textOf(form, 'layout');
    if (!LAYOUTS.includes(layout)) {
      throw new ValidationFailedError([
        fieldProblem('layout', 'must be one of those that the page offers'),
      ]);
    }
    await this.database.manager.upsert(ReaderPreferences, { userId, layout }, ['userId']);
    return layout;
  }
}
