/** Which of the members that `complete` adds an answer shows. */
export interface ItemDetail {
  readonly tags: boolean;
  readonly authors: boolean;
  readonly images: boolean;
  readonly videos: boolean;
  readonly domainMetadata: boolean;
}

export const COMPLETE: ItemDetail = {
  tags: true,
  authors: true,
  images: true,
  videos: true,
  domainMetadata: true,
};
