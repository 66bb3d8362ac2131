import { resources } from '../../lib/kubernetes/resources.ts';
import { StandInApi } from '../fuzz/stand-in-api.ts';

const served = { resources: Object.values(resources).map(({ plural }) => ({ name: plural })) };

/** An API server that also says which kinds it serves: all. */
export class GoodApi extends StandInApi {
  protected override answer(...given: Parameters<StandInApi['answer']>): { status: number; answer: object } {
    const [method, path] = given;
    if (method === 'GET' && /^\/apis\/[^/]+\/[^/]+$/.test(path)) return { status: 200, answer: served };
    return super.answer(...given);
  }
}
