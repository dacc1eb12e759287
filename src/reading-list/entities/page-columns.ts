import { Column } from 'typeorm';

/** The authors, images and videos of an item's page. */
export interface ItemMedia {
  readonly authors: readonly { readonly id: string; readonly name: string; readonly url: string }[];
  readonly images: readonly {
    readonly src: string;
    readonly width: number;
    readonly height: number;
    readonly credit: string;
    readonly caption: string;
  }[];
  readonly videos: readonly {
    readonly src: string;
    readonly width: number;
    readonly height: number;
    readonly type: number;
    readonly vid: string;
    readonly length: number;
  }[];
}

/** The media of a page without authors, images and videos. */
export const NO_MEDIA: ItemMedia = { authors: [], images: [], videos: [] };

/** The value of `resolvedId` while the page of the item has not been fetched, or could not be fetched. */
export const NOT_FETCHED = '0';

/**
 * The columns that an item copies from its page. Code that writes, restores or exports items
 * handles every column of this class. The size of texts counts toward the storage limit.
 *
 * Every column must have a default value or allow null, because records from earlier versions of
 * Satchel do not contain later columns.
 */
export abstract class PageColumns {
  /** The id of the fetched page. NOT_FETCHED until the page is fetched. */
  @Column('bigint', { default: 0 })
  resolvedId!: string;

  @Column('text', { default: '' })
  resolvedUrl!: string;

  @Column('text', { default: '' })
  resolvedTitle!: string;

  @Column('text', { default: '' })
  excerpt!: string;

  @Column('text', { default: '' })
  lang!: string;

  @Column('smallint', { default: 0 })
  isArticle!: 0 | 1;

  @Column('smallint', { default: 0 })
  isIndex!: 0 | 1;

  /** The images of the page. 0: no images; 1: has images; 2: the page is an image. */
  @Column('smallint', { default: 0 })
  hasImage!: 0 | 1 | 2;

  /** The videos of the page. 0: no videos; 1: has videos; 2: the page is a video. */
  @Column('smallint', { default: 0 })
  hasVideo!: 0 | 1 | 2;

  /** 1 if the page is a PDF document. */
  @Column('smallint', { default: 0 })
  isPdf!: 0 | 1;

  @Column('integer', { default: 0 })
  wordCount!: number;

  @Column('text', { default: '' })
  topImageUrl!: string;

  /** The authors, images and videos of the page. Null until the page is fetched. */
  @Column('json', { nullable: true })
  media!: ItemMedia | null;
}
