import { aDatabaseProxy, type DatabaseProxy } from './database-proxy.js';
import type { TestDatabase } from './test-database.js';

interface ServerRow {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

const SERVERS = `SELECT nodeid AS id, nodename AS host, nodeport AS port FROM pg_dist_node
  WHERE isactive AND noderole = 'primary' AND groupid <> 0 ORDER BY nodeid`;
/** The server that stores the list of a user. */
const SERVER_OF = `SELECT n.nodeid AS id FROM pg_dist_node n JOIN pg_dist_placement p USING (groupid)
  WHERE p.shardid = get_shard_id_for_distribution_column('lists', $1::bigint)`;
const RECOVER = 'SELECT recover_prepared_transactions()';
/**
 * The servers with lists of a test database on Citus, behind proxies that the test controls. All servers must be on the
 * machine of the tests, because they connect to the proxies.
 */
export class CitusNetwork {
  private constructor(
    private readonly database: TestDatabase,
    private readonly proxies: ReadonlyMap<number, DatabaseProxy>,
  ) {}

  /** Puts a proxy before each server with lists. */
  static async before(database: TestDatabase): Promise<CitusNetwork> {
    const proxies = new Map<number, DatabaseProxy>();
    for (const { id, host, port } of await database.query<ServerRow>(SERVERS)) {
      const proxy = await aDatabaseProxy(`postgres://${host}:${port}`, {
        bytesUntilCut: () => 2000,
      });
      proxies.set(id, proxy);
      await database.query(`SELECT citus_update_node($1, '127.0.0.1', $2)`, [
        id,
        Number(new URL(proxy.url).port),
      ]);
    }
    return new CitusNetwork(database, proxies);
  }

  get servers(): number[] {
    return [...this.proxies.keys()];
  }

  /** Changes the network to one server. */
  become(server: number, way: DatabaseProxy['way']): void {
    this.proxies.get(server)?.become(way);
  }

  async serverOf(userId: string): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(SERVER_OF, [userId]);
    return row!.id;
  }

  /** Ends interrupted transactions first, because they prevent the deletion of the database. */
  async close(): Promise<void> {
    await this.database.query(RECOVER);
    await Promise.all([...this.proxies.values()].map((proxy) => proxy.close()));
  }
}
