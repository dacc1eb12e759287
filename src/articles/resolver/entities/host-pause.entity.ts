import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A host that has requested a pause between requests, for example with the header `Retry-After`. */
@Entity('host_pauses')
export class HostPause {
  @PrimaryColumn('text')
  host!: string;

  @Column('timestamptz')
  until!: Date;
}
