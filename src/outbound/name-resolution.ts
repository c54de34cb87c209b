/**
 * Resolves the names of callbacks: the hosts file first, then DNS by c-ares, which has deadlines of its own and does not
 * use the thread pool that files and compression share, as the system's lookup does.
 */
import { Resolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";

export interface NameResolution {
  /** Returns all addresses of a host, IPv4 first. @throws the resolver's error when there are none. */
  resolve(host: string, signal: AbortSignal): Promise<string[]>;
  /** Checks whether the resolver answers at all, to distinguish an unknown name from a failing resolver. */
  isAnswering(): Promise<boolean>;
}

export interface ResolutionSettings {
  /** Addresses of resolvers, with ports; the system's when absent. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  readonly timeoutMs?: number;
}

/** Opens name resolution. */
export function openNameResolution(settings: ResolutionSettings = {}): NameResolution {
  const { timeoutMs = 2500, hostsFile = systemHostsFile() } = settings;
  const readHosts = openHostsFile(hostsFile);

  let canary: { readonly sentAt: number; readonly answer: Promise<boolean> } | undefined;

  function resolver(tries: number): Resolver {
    const created = new Resolver({ timeout: timeoutMs, tries });
    if (settings.servers !== undefined) created.setServers(settings.servers);
    return created;
  }

  return {
    async resolve(host, signal) {
      if (isIP(host) !== 0) return [host];
      const name = host.toLowerCase();
      if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"]; // RFC 6761 §6.3
      const listed = (await readHosts()).get(name);
      if (listed !== undefined) return listed;
      signal.throwIfAborted();
      const queries = resolver(2);
      const cancel = () => queries.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      try {
        const answers = await Promise.allSettled([queries.resolve4(name), queries.resolve6(name)]);
        const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
        const refusal = answers.find((answer) => answer.status === "rejected");
        if (addresses.length === 0 && refusal !== undefined) throw refusal.reason;
        return addresses;
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
    isAnswering() {
      const time = performance.now();
      if (canary === undefined || time - canary.sentAt > CANARY_CACHE_MS) {
        canary = { sentAt: time, answer: isWorking(resolver(1)) };
      }
      return canary.answer;
    },
  };
}

/** How long a result of `isAnswering` is cached. */
const CANARY_CACHE_MS = 5000;

/** Queries the root's name servers, which every resolver knows. */
async function isWorking(resolver: Resolver): Promise<boolean> {
  try {
    await resolver.resolveNs(".");
    return true;
  } catch (error) {
    return ANSWERED_ERRORS.has((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** Errors that only a working resolver returns. */
const ANSWERED_ERRORS = new Set(["ENODATA", "ENOTFOUND", "EREFUSED", "ESERVFAIL", "ENOTIMP", "EFORMERR", "EBADRESP"]);

/** Reads the hosts file again whenever it has changed. */
function openHostsFile(path: string): () => Promise<ReadonlyMap<string, string[]>> {
  let hosts: ReadonlyMap<string, string[]> = new Map();
  let readAt = -1;
  return async () => {
    const written = await stat(path).catch(() => undefined);
    if (written === undefined) return new Map();
    if (written.mtimeMs !== readAt) {
      hosts = parseHosts(await readFile(path, "utf8").catch(() => ""));
      readAt = written.mtimeMs;
    }
    return hosts;
  };
}

/** Parses a hosts file into names and their addresses, IPv4 first. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      const others = hosts.get(name) ?? [];
      hosts.set(name, isIP(address) === 4 ? [address, ...others] : [...others, address]);
    }
  }
  return hosts;
}

function systemHostsFile(): string {
  return process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
}
