import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A passage of an article that the user has marked. */
@Entity('annotations', { synchronize: false })
export class Annotation {
  @PrimaryColumn('bigint')
  userId!: string;

  /** Chosen by the client, a UUID as a rule. */
  @PrimaryColumn('text')
  annotationId!: string;

  @Column('bigint')
  itemId!: string;

  @Column('text')
  quote!: string;

  /** Where it stands in the article: a diff that inserts marks around it. */
  @Column('text')
  patch!: string;

  @Column('text')
  version!: string;

  /** In unix seconds. */
  @Column('bigint')
  createdAt!: string;
}
