import { join } from 'node:path';

import { postgresPrograms } from './patroni-packages.js';

/** Ports and folder of one PostgreSQL server and its Patroni. */
export interface Node {
  readonly name: string;
  readonly port: string;
  readonly restPort: string;
  readonly directory: string;
}

const LOCAL = '127.0.0.1';

/**
 * A dead machine's leader is replaced when its etcd key expires (`ttl`, 20 is Patroni's minimum), a dead server at once
 * (`primary_start_timeout`). Tests kill only processes, so written data survives in the kernel without `fsync`.
 */
const CLUSTER = {
  ttl: 20,
  loop_wait: 1,
  retry_timeout: 3,
  primary_start_timeout: 0,
  maximum_lag_on_failover: 1_048_576,
};

const PARAMETERS = {
  max_connections: 100,
  wal_keep_size: '256MB',
  fsync: 'off',
  full_page_writes: 'on',
  shared_buffers: '64MB',
};

/** Returns the Patroni configuration as JSON, which is valid YAML. */
export function patroniFile(node: Node, etcdPort: string, isSynchronous: boolean): string {
  const { name, port, restPort, directory } = node;
  const hba = [
    'local all all trust',
    `host all all ${LOCAL}/32 trust`,
    `host replication all ${LOCAL}/32 trust`,
  ];
  return JSON.stringify({
    scope: 'satchel',
    name,
    restapi: { listen: `${LOCAL}:${restPort}`, connect_address: `${LOCAL}:${restPort}` },
    etcd3: { host: `${LOCAL}:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...CLUSTER,
        synchronous_mode: isSynchronous,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: `${LOCAL}:${port}`,
      connect_address: `${LOCAL}:${port}`,
      data_dir: join(directory, 'data'),
      bin_dir: postgresPrograms(),
      pgpass: join(directory, 'pgpass'),
      pg_hba: hba,
      basebackup: ['no-sync', { checkpoint: 'fast' }],
      parameters: { unix_socket_directories: directory },
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'postgres' },
      },
    },
  });
}

export const etcdWords = (directory: string, port: string, peerPort: string): string[] => [
  ...['--name', 'one', '--data-dir', directory],
  ...['--listen-client-urls', `http://${LOCAL}:${port}`],
  ...['--advertise-client-urls', `http://${LOCAL}:${port}`],
  ...['--listen-peer-urls', `http://${LOCAL}:${peerPort}`],
  ...['--initial-advertise-peer-urls', `http://${LOCAL}:${peerPort}`],
  ...['--initial-cluster', `one=http://${LOCAL}:${peerPort}`],
];

/** HAProxy asks each Patroni whether its server is the primary. It closes connections to a former primary. */
export const haproxyFile = (nodes: readonly Node[], port: string): string => `
global
  maxconn 400
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind ${LOCAL}:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} ${LOCAL}:${node.port} check port ${node.restPort}`).join('\n')}
`;
