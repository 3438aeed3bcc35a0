/**
 * What a gigabyte of output may add to the process, in bytes: 50 MiB are promised, measured are about 42 on Node 20;
 * newer ones let their young generation grow further before they clear it.
 */
export const MEMORY_BOUND = (Number(process.versions.node.split('.')[0]) < 22 ? 64 : 128) << 20;
