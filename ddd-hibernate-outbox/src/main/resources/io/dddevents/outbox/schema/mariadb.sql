-- SPDX-FileCopyrightText: 2026 The ddd-events authors
-- SPDX-License-Identifier: Apache-2.0
--
-- ddd-events, schema version 1, for MariaDB 10.6 and MySQL 8.0.13 and later.
-- ${p} is replaced by the schema and table prefix, ${n} by the table prefix alone (for names of
-- constraints and indexes). Running it again changes nothing.

-- Work to do: events that are not at the broker yet. Nothing here is indexed that ever changes.
create table if not exists ${p}outbox_event (
  id bigint not null auto_increment primary key,
  event_id binary(16) not null,
  lane smallint not null,
  tenant varchar(100),
  aggregate_type varchar(200),
  aggregate_id varchar(200),
  aggregate_version bigint,
  event_type varchar(200) not null,
  event_version smallint not null,
  occurred_at datetime(6) not null,
  correlation_id varchar(200),
  causation_id varchar(200),
  traceparent varchar(55),
  dedupe_key varchar(200),
  headers mediumtext,
  content_type varchar(100) not null,
  payload mediumblob not null,
  sha256 binary(32) not null,
  attempts int not null default 0,
  next_attempt_at datetime(6),
  first_error varchar(500),
  last_error varchar(500),
  created_at datetime(6) not null default (utc_timestamp(6)),
  constraint ${n}outbox_event_id_unique unique (event_id),
  constraint ${n}outbox_event_aggregate_whole check ((aggregate_type is null) = (aggregate_id is null))
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- Events that ended Failed, by policy; an operator retries or discards them.
create table if not exists ${p}outbox_failed (
  id bigint not null primary key,
  event_id binary(16) not null,
  lane smallint not null,
  tenant varchar(100),
  aggregate_type varchar(200),
  aggregate_id varchar(200),
  aggregate_version bigint,
  event_type varchar(200) not null,
  event_version smallint not null,
  occurred_at datetime(6) not null,
  correlation_id varchar(200),
  causation_id varchar(200),
  traceparent varchar(55),
  dedupe_key varchar(200),
  headers mediumtext,
  content_type varchar(100) not null,
  payload mediumblob,
  sha256 binary(32),
  attempts int not null,
  cause varchar(40) not null,
  first_error varchar(500),
  last_error varchar(500),
  created_at datetime(6) not null,
  failed_at datetime(6) not null,
  blocks boolean not null,
  retry_at datetime(6),
  constraint ${n}outbox_failed_id_unique unique (event_id),
  key ${n}outbox_failed_aggregate (aggregate_type, aggregate_id),
  key ${n}outbox_failed_retry (retry_at)
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- Events that were published (PROCESSED) or given up by an operator (DISCARDED), until purged.
create table if not exists ${p}outbox_archive (
  id bigint not null primary key,
  event_id binary(16) not null,
  lane smallint not null,
  tenant varchar(100),
  aggregate_type varchar(200),
  aggregate_id varchar(200),
  aggregate_version bigint,
  event_type varchar(200) not null,
  event_version smallint not null,
  occurred_at datetime(6) not null,
  correlation_id varchar(200),
  causation_id varchar(200),
  traceparent varchar(55),
  dedupe_key varchar(200),
  headers mediumtext,
  content_type varchar(100) not null,
  payload mediumblob,
  sha256 binary(32),
  attempts int not null,
  status varchar(10) not null,
  reason varchar(500),
  created_at datetime(6) not null,
  ended_at datetime(6) not null,
  constraint ${n}outbox_archive_status_known check (status in ('PROCESSED', 'DISCARDED')),
  key ${n}outbox_archive_ended_at (ended_at)
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- One row per lane; who owns it, until when, in which epoch, and up to which id it was read.
create table if not exists ${p}outbox_lane (
  lane smallint not null primary key,
  locked_by varchar(80),
  locked_until datetime(6),
  epoch bigint not null default 0,
  read_up_to bigint not null default 0
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- Relays that are alive.
create table if not exists ${p}outbox_relay (
  relay varchar(80) not null primary key,
  started_at datetime(6) not null,
  seen_at datetime(6) not null
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- Dedupe keys that were used; an event of the same type with the same key is not stored again.
create table if not exists ${p}outbox_dedupe (
  event_type varbinary(200) not null,
  dedupe_key varbinary(200) not null,
  event_id binary(16) not null,
  created_at datetime(6) not null default (utc_timestamp(6)),
  primary key (event_type, dedupe_key),
  key ${n}outbox_dedupe_created_at (created_at)
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- Messages that a consumer has handled.
create table if not exists ${p}inbox_message (
  consumer varbinary(200) not null,
  message_id varbinary(64) not null,
  sha256 binary(32) not null,
  received_at datetime(6) not null default (utc_timestamp(6)),
  primary key (consumer, message_id),
  key ${n}inbox_message_received_at (received_at)
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- What operators did: who, when, what, why, before, after. Only ever appended to.
create table if not exists ${p}outbox_audit (
  id bigint not null auto_increment primary key,
  at datetime(6) not null default (utc_timestamp(6)),
  actor varchar(200) not null,
  action varchar(40) not null,
  target varchar(200) not null,
  reason varchar(500),
  state_before varchar(500),
  state_after varchar(500),
  result varchar(500) not null
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- Which version of these tables this is.
create table if not exists ${p}outbox_schema (
  version int not null primary key,
  applied_at datetime(6) not null default (utc_timestamp(6))
)
  engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_bin;

-- Every event with its status word.
create or replace view ${p}outbox_all as
select e.id, e.event_id, case when l.locked_until > utc_timestamp(6) and e.id <= l.read_up_to then 'PROCESSING' else 'PENDING' end as status,
    e.tenant, e.aggregate_type, e.aggregate_id, e.event_type, e.event_version, e.occurred_at, e.attempts,
    e.next_attempt_at, e.last_error, e.created_at
  from ${p}outbox_event e left join ${p}outbox_lane l on l.lane = e.lane
union all
select f.id, f.event_id, case when f.retry_at is null then 'FAILED' else 'PENDING' end, f.tenant, f.aggregate_type, f.aggregate_id, f.event_type, f.event_version,
    f.occurred_at, case when f.retry_at is null then f.attempts else 0 end, null, f.last_error, f.created_at
  from ${p}outbox_failed f
union all
select a.id, a.event_id, a.status, a.tenant, a.aggregate_type, a.aggregate_id, a.event_type, a.event_version,
    a.occurred_at, a.attempts, null, a.reason, a.created_at
  from ${p}outbox_archive a;

-- 32 times 32, because a recursion may not be deeper than 1000 by default.
insert into ${p}outbox_lane (lane)
  with recursive digits (d) as (select 0 union all select d + 1 from digits where d < 31)
  select 32 * a.d + b.d from digits a cross join digits b
  where 32 * a.d + b.d < ${lanes} and not exists (select 1 from ${p}outbox_lane);

insert into ${p}outbox_schema (version)
  select 1 from (select 1 as one) as row_one where not exists (select 1 from ${p}outbox_schema where version = 1);
