import type {
  PictureRepository,
  StoredPicture,
} from '../../../articles/images/picture.repository.js';
import { contentEntry, type ZipEntry } from '../../../lib/util/zipped.js';

/** Adds the stored pictures of articles to one archive. The archive contains each picture once. */
export class ArchivedPictures {
  /** The ids of the pictures that the archive contains. */
  private readonly written = new Set<string>();

  constructor(private readonly pictures: Pick<PictureRepository, 'findStored' | 'imageOf'>) {}

  /** Yields the files of pictures that are new in the archive. Returns the paths of all stored ones by address. */
  async *files(sources: readonly string[]): AsyncGenerator<ZipEntry, ReadonlyMap<string, string>> {
    const stored = await this.pictures.findStored(sources);
    const paths = new Map<string, string>();
    for (const [src, picture] of stored) {
      const path = pathOf(picture);
      const image = this.written.has(picture.pictureId)
        ? 'written'
        : await this.pictures.imageOf(picture.pictureId);
      if (image !== undefined) {
        paths.set(src, path);
      }
      if (image instanceof Buffer) {
        this.written.add(picture.pictureId);
        yield contentEntry(path, image);
      }
    }
    return paths;
  }
}

const pathOf = ({ pictureId, type }: StoredPicture): string =>
  `pictures/${pictureId}.${type === 'image/png' ? 'png' : 'jpg'}`;
