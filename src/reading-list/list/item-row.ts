/** A row of `items`, as pg hands it over: bigint columns are decimal text, as the wire wants them. Times are unix seconds, "0" is never. */
export interface ItemRow {
  readonly item_id: string;
  readonly status: number;
  readonly favorite: number;
  readonly time_added: string;
  readonly time_updated: string;
  readonly time_read: string;
  readonly time_favorited: string;
  readonly given_url: string;
  readonly given_title: string;
  readonly prefers_given_title: boolean;
  readonly resolved_id: string;
  readonly resolved_url: string;
  readonly resolved_title: string;
  readonly excerpt: string;
  readonly lang: string;
  readonly is_article: number;
  readonly is_index: number;
  readonly has_image: number;
  readonly has_video: number;
  readonly word_count: number;
  readonly top_image_url: string;
  /** What `complete` adds, found by the resolver; null until then. */
  readonly media: ItemMedia | null;
  readonly tags: readonly string[];
}

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
