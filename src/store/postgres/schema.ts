import type { Migration } from '../migrations.ts';
import { FOLDER_MIGRATION } from './folder-schema.ts';

/**
 * The tables for PostgreSQL. Each has the column `tenant`, whose value every statement names: it is what keeps the data of users
 * apart. Texts compare byte by byte; moments of leases are those of the database's clock.
 */
export const POSTGRES_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'sessions, events, rules, usage and deltas', sql: `
   CREATE TABLE skillmint.sessions (
     tenant text COLLATE "C" NOT NULL,
     session_id text COLLATE "C" NOT NULL,
     title text NOT NULL DEFAULT '',
     cwd text COLLATE "C" NOT NULL,
     model text NOT NULL,
     status text NOT NULL DEFAULT 'idle',
     parent_id text COLLATE "C",
     task_id text COLLATE "C",
     created_at text COLLATE "C" NOT NULL,
     updated_at text COLLATE "C" NOT NULL,
     last_seq integer NOT NULL DEFAULT 0,
     turn_seq integer NOT NULL DEFAULT 0,
     epoch integer NOT NULL DEFAULT 0,
     service boolean NOT NULL DEFAULT false,
     owner_instance text,
     owner_machine text,
     owner_pid integer,
     owner_started text,
     lease_until timestamptz,
     PRIMARY KEY (tenant, session_id)
   ) WITH (fillfactor = 80);
   CREATE INDEX sessions_by_time ON skillmint.sessions (tenant, updated_at DESC, session_id DESC);
   CREATE INDEX sessions_by_folder ON skillmint.sessions (tenant, cwd, updated_at DESC);
   CREATE INDEX sessions_running ON skillmint.sessions (tenant, status) WHERE status = 'running';
   CREATE TABLE skillmint.events (
     tenant text COLLATE "C" NOT NULL,
     session_id text COLLATE "C" NOT NULL,
     seq integer NOT NULL,
     event text NOT NULL,
     PRIMARY KEY (tenant, session_id, seq)
   );
   CREATE TABLE skillmint.permission_rules (
     tenant text COLLATE "C" NOT NULL,
     cwd text COLLATE "C" NOT NULL,
     rule text COLLATE "C" NOT NULL,
     PRIMARY KEY (tenant, cwd, rule)
   );
   CREATE TABLE skillmint.turn_usage (
     tenant text COLLATE "C" NOT NULL,
     session_id text COLLATE "C" NOT NULL,
     turn_id text COLLATE "C" NOT NULL,
     model text COLLATE "C" NOT NULL,
     day text COLLATE "C" NOT NULL,
     skills text[] NOT NULL,
     steps integer NOT NULL,
     input bigint NOT NULL,
     output bigint NOT NULL,
     cache_read bigint NOT NULL,
     cache_write bigint NOT NULL,
     cost_usd double precision NOT NULL,
     model_ms bigint NOT NULL,
     tool_ms bigint NOT NULL,
     PRIMARY KEY (tenant, session_id, turn_id, model)
   );
   CREATE INDEX turn_usage_by_day ON skillmint.turn_usage (tenant, day);
   CREATE UNLOGGED TABLE skillmint.deltas (
     tenant text COLLATE "C" NOT NULL,
     session_id text COLLATE "C" NOT NULL,
     no bigint GENERATED ALWAYS AS IDENTITY,
     after_seq integer NOT NULL,
     call_id text,
     passing boolean NOT NULL,
     instance text NOT NULL,
     event text NOT NULL,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (tenant, session_id, no)
   );
   CREATE INDEX deltas_passing ON skillmint.deltas (at) WHERE passing;` },
  FOLDER_MIGRATION,
  { version: 3, name: 'messages to turns that run elsewhere', sql: `
   CREATE UNLOGGED TABLE skillmint.messages (
     tenant text COLLATE "C" NOT NULL,
     message_id uuid NOT NULL DEFAULT gen_random_uuid(),
     session_id text COLLATE "C" NOT NULL,
     message text NOT NULL,
     is_taken boolean NOT NULL DEFAULT false,
     reply text,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (tenant, message_id)
   );
   CREATE INDEX messages_waiting ON skillmint.messages (tenant, session_id) WHERE NOT is_taken;` },
];
