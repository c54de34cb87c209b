/** A proxy in front of PostgreSQL that passes COMMIT on, and breaks the connection instead of passing the answer back. */
import { connect, createServer } from "node:net";
import { listening, through } from "./loopback.ts";

export interface CommitCutter extends AsyncDisposable {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Has the next commits lose their answers. */
  cut(commits: number): void;
  /** How many answers were lost. */
  readonly lost: number;
}

/** Opens the proxy to the database at `url`. */
export async function openCommitCutter(url: string): Promise<CommitCutter> {
  const { hostname, port } = new URL(url);
  let wanted = 0;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isCommitting = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
    client.on("data", (bytes: Buffer) => {
      if (wanted > 0 && bytes.includes("commit\0")) {
        wanted--;
        isCommitting = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes: Buffer) => {
      if (!isCommitting) return void client.write(bytes);
      lost++;
      end();
    });
  });
  const listens = await listening(server);
  return {
    ...listens,
    url: through(url, listens),
    cut(commits) {
      wanted = commits;
    },
    get lost() {
      return lost;
    },
  };
}
