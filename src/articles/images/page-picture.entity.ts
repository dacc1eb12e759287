import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

import { Page } from '../resolver/entities/page.entity.js';
import { Picture } from './picture.entity.js';

/** A picture in a stored page. A picture is deleted when it is in no page any more. */
@Entity('page_pictures')
export class PagePicture {
  @PrimaryColumn('bigint')
  pageId!: string;

  @ManyToOne(() => Page, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'page_id' })
  page!: Relation<Page>;

  @Index()
  @PrimaryColumn('bigint')
  pictureId!: string;

  @ManyToOne(() => Picture)
  @JoinColumn({ name: 'picture_id' })
  picture!: Relation<Picture>;
}
