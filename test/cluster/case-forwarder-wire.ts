import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What the forwarders' connections to the API server go through, so that they can be cut without ending either side. */
export class Wire {
  private readonly target: URL;
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;

  constructor(target: string) {
    this.target = new URL(target);
  }

  /** Answers the address at which the API server can be reached through this. */
  async start(): Promise<string> {
    const server = createServer((incoming) => this.join(incoming));
    this.server = server;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Cuts all connections there are, wherever in a line they just are. New ones can be made at once. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    this.cut();
    await closed;
  }

  private join(incoming: Socket): void {
    const outgoing = connect(Number(this.target.port), this.target.hostname);
    incoming.pipe(outgoing).pipe(incoming);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
