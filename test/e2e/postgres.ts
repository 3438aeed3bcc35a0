import { onTestFinished } from 'vitest';
import { startCluster, type Cluster, type ClusterOptions } from '../helpers/postgres.ts';
import { makePlace, type Place } from './program.ts';

/** A cluster for one test. */
export async function clusterForTest(options?: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  onTestFinished(() => cluster.dispose());
  return cluster;
}

/** A place whose program keeps its sessions in that database. */
export function placeOn(url: string): Place {
  const place = makePlace();
  return { ...place, env: { ...place.env, SKILLMINT_DATABASE: url } };
}
