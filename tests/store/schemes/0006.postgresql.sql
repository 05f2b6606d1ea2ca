CREATE TABLE public.absences (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    starts timestamp with time zone NOT NULL,
    ends timestamp with time zone NOT NULL,
    note text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.absences_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.absences_id_seq OWNED BY public.absences.id;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.api_tokens (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    club_id bigint,
    seat_id bigint,
    name character varying(200) NOT NULL,
    digest character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    revoked_at timestamp with time zone
);
CREATE SEQUENCE public.api_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.api_tokens_id_seq OWNED BY public.api_tokens.id;
CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    player_id bigint,
    club_id bigint,
    game_id bigint,
    act character varying(40) NOT NULL,
    reason text NOT NULL,
    details json NOT NULL,
    public boolean NOT NULL,
    undo_until timestamp with time zone
);
CREATE SEQUENCE public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.audit_log_id_seq OWNED BY public.audit_log.id;
CREATE TABLE public.clubs (
    id bigint NOT NULL,
    slug character varying(64) NOT NULL,
    name character varying(200) NOT NULL,
    language character varying(40) NOT NULL,
    settings json NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.clubs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.clubs_id_seq OWNED BY public.clubs.id;
CREATE TABLE public.codes (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    purpose character varying(200) NOT NULL,
    digest character varying(64) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    tries integer NOT NULL,
    used_at timestamp with time zone
);
CREATE SEQUENCE public.codes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.codes_id_seq OWNED BY public.codes.id;
CREATE TABLE public.decisions (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    ply integer NOT NULL,
    seat integer NOT NULL,
    kind character varying(40) NOT NULL,
    secret boolean NOT NULL,
    optional boolean NOT NULL,
    sealed boolean NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    base_at timestamp with time zone,
    due_version integer NOT NULL,
    nudge_at timestamp with time zone,
    nudge_step integer NOT NULL,
    letter_at timestamp with time zone,
    order_id bigint,
    answered_at timestamp with time zone,
    hand character varying(40) NOT NULL,
    closed_at timestamp with time zone
);
CREATE SEQUENCE public.decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.decisions_id_seq OWNED BY public.decisions.id;
CREATE TABLE public.deliveries (
    id bigint NOT NULL,
    letter_id bigint NOT NULL,
    state character varying(40) NOT NULL,
    detail text NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.deliveries_id_seq OWNED BY public.deliveries.id;
CREATE TABLE public.entries (
    id bigint NOT NULL,
    season_id bigint NOT NULL,
    player_id bigint NOT NULL,
    seed double precision NOT NULL,
    byes integer NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    dropped_at timestamp with time zone
);
CREATE SEQUENCE public.entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.entries_id_seq OWNED BY public.entries.id;
CREATE TABLE public.games (
    id bigint NOT NULL,
    slug character varying(32) NOT NULL,
    club_id bigint,
    organiser_id bigint,
    game character varying(40) NOT NULL,
    title character varying(200) NOT NULL,
    seats integer NOT NULL,
    options json NOT NULL,
    seed character varying(64) NOT NULL,
    commitment character varying(64) NOT NULL,
    rules_version integer NOT NULL,
    practice boolean NOT NULL,
    rated boolean NOT NULL,
    watch_delay integer NOT NULL,
    state character varying(40) NOT NULL,
    ply integer NOT NULL,
    version integer NOT NULL,
    outcome bytea,
    cadence json NOT NULL,
    cooling integer NOT NULL,
    due_at timestamp with time zone,
    cover_at timestamp with time zone,
    wake_at timestamp with time zone,
    due_version integer NOT NULL,
    tries integer NOT NULL,
    trace text NOT NULL,
    stuck_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone
);
CREATE SEQUENCE public.games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.games_id_seq OWNED BY public.games.id;
CREATE TABLE public.hook_calls (
    id bigint NOT NULL,
    hook_id bigint NOT NULL,
    cause character varying(200) NOT NULL,
    body json NOT NULL,
    state character varying(40) NOT NULL,
    attempts integer NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    last_error text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.hook_calls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.hook_calls_id_seq OWNED BY public.hook_calls.id;
CREATE TABLE public.hooks (
    id bigint NOT NULL,
    club_id bigint NOT NULL,
    kind character varying(40) NOT NULL,
    url text NOT NULL,
    secret character varying(40) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);
CREATE SEQUENCE public.hooks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.hooks_id_seq OWNED BY public.hooks.id;
CREATE TABLE public.inbound_mails (
    id bigint NOT NULL,
    message_id character varying(250) NOT NULL,
    sender character varying(254) NOT NULL,
    recipient character varying(254) NOT NULL,
    source character varying(40) NOT NULL,
    raw bytea NOT NULL,
    state character varying(40) NOT NULL,
    kind character varying(40) NOT NULL,
    seat_id bigint,
    player_id bigint,
    note text NOT NULL,
    attempts integer NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone
);
CREATE SEQUENCE public.inbound_mails_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.inbound_mails_id_seq OWNED BY public.inbound_mails.id;
CREATE TABLE public.invitations (
    id bigint NOT NULL,
    club_id bigint,
    game_id bigint,
    seat integer,
    player_id bigint NOT NULL,
    inviter_id bigint,
    role character varying(40) NOT NULL,
    state character varying(40) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone
);
CREATE SEQUENCE public.invitations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.invitations_id_seq OWNED BY public.invitations.id;
CREATE TABLE public.letters (
    id bigint NOT NULL,
    cause character varying(120) NOT NULL,
    kind character varying(40) NOT NULL,
    game_id bigint,
    ply integer,
    seat integer,
    player_id bigint,
    club_id bigint,
    address character varying(254),
    order_id bigint,
    mail_id bigint,
    data json NOT NULL,
    message_id character varying(120) NOT NULL,
    state character varying(40) NOT NULL,
    urgent boolean NOT NULL,
    next_try_at timestamp with time zone NOT NULL,
    attempts integer NOT NULL,
    claimed_at timestamp with time zone,
    claim character varying(40) NOT NULL,
    sent_at timestamp with time zone,
    last_error text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.letters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.letters_id_seq OWNED BY public.letters.id;
CREATE TABLE public.members (
    id bigint NOT NULL,
    club_id bigint NOT NULL,
    player_id bigint NOT NULL,
    role character varying(40) NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    left_at timestamp with time zone
);
CREATE SEQUENCE public.members_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.members_id_seq OWNED BY public.members.id;
CREATE TABLE public.notes (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    seat integer NOT NULL,
    text text NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.notes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.notes_id_seq OWNED BY public.notes.id;
CREATE TABLE public.orders (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    ply integer NOT NULL,
    seat integer NOT NULL,
    player_id bigint,
    text text NOT NULL,
    canonical text NOT NULL,
    kind character varying(40) NOT NULL,
    reason character varying(40) NOT NULL,
    source character varying(40) NOT NULL,
    request character varying(64),
    mail_id bigint,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.orders_id_seq OWNED BY public.orders.id;
CREATE TABLE public.pairings (
    id bigint NOT NULL,
    season_id bigint NOT NULL,
    round integer NOT NULL,
    title integer NOT NULL,
    number integer NOT NULL,
    players json NOT NULL,
    game_id bigint,
    opens_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.pairings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.pairings_id_seq OWNED BY public.pairings.id;
CREATE TABLE public.players (
    id bigint NOT NULL,
    address character varying(254),
    address_state character varying(40) NOT NULL,
    name character varying(200) NOT NULL,
    language character varying(40) NOT NULL,
    zone character varying(64) NOT NULL,
    wakes integer NOT NULL,
    sleeps integer NOT NULL,
    weekends boolean NOT NULL,
    quiet boolean NOT NULL,
    digest_hour integer,
    kinds_off json NOT NULL,
    rated boolean NOT NULL,
    epoch integer NOT NULL,
    away_until timestamp with time zone,
    accepted_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.players_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.players_id_seq OWNED BY public.players.id;
CREATE TABLE public.plies (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    ply integer NOT NULL,
    kind character varying(40) NOT NULL,
    restores integer,
    orders json NOT NULL,
    hands json NOT NULL,
    chance json NOT NULL,
    events bytea NOT NULL,
    snapshot bytea NOT NULL,
    digest character varying(64) NOT NULL,
    phase character varying(200) NOT NULL,
    round character varying(200) NOT NULL,
    resolved_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.plies_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.plies_id_seq OWNED BY public.plies.id;
CREATE TABLE public.proposals (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    kind character varying(40) NOT NULL,
    to_ply integer,
    player_id bigint,
    reason text NOT NULL,
    state character varying(40) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    seat integer
);
CREATE SEQUENCE public.proposals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.proposals_id_seq OWNED BY public.proposals.id;
CREATE TABLE public.pulses (
    id bigint NOT NULL,
    name character varying(40) NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.pulses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.pulses_id_seq OWNED BY public.pulses.id;
CREATE TABLE public.rating_steps (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    player_id bigint NOT NULL,
    pool character varying(40) NOT NULL,
    place integer NOT NULL,
    shown integer NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.rating_steps_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.rating_steps_id_seq OWNED BY public.rating_steps.id;
CREATE TABLE public.ratings (
    id bigint NOT NULL,
    player_id bigint NOT NULL,
    game character varying(40) NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    shown integer NOT NULL,
    games integer NOT NULL
);
CREATE SEQUENCE public.ratings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ratings_id_seq OWNED BY public.ratings.id;
CREATE TABLE public.saved_views (
    id bigint NOT NULL,
    club_id bigint NOT NULL,
    player_id bigint,
    name character varying(200) NOT NULL,
    query text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.saved_views_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.saved_views_id_seq OWNED BY public.saved_views.id;
CREATE TABLE public.seasons (
    id bigint NOT NULL,
    club_id bigint NOT NULL,
    slug character varying(32) NOT NULL,
    name character varying(200) NOT NULL,
    system character varying(40) NOT NULL,
    rounds integer NOT NULL,
    titles json NOT NULL,
    cadence json NOT NULL,
    workload integer NOT NULL,
    stagger_hours integer NOT NULL,
    state character varying(40) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone
);
CREATE SEQUENCE public.seasons_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.seasons_id_seq OWNED BY public.seasons.id;
CREATE TABLE public.seats (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    seat integer NOT NULL,
    player_id bigint,
    bot character varying(40) NOT NULL,
    epoch integer NOT NULL,
    ladder json NOT NULL,
    never json NOT NULL,
    kinds_off json NOT NULL,
    bank_used integer NOT NULL,
    sat_until timestamp with time zone,
    joined_at timestamp with time zone,
    resigned_at timestamp with time zone
);
CREATE SEQUENCE public.seats_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.seats_id_seq OWNED BY public.seats.id;
CREATE TABLE public.sitters (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    seat integer NOT NULL,
    player_id bigint NOT NULL,
    handover text NOT NULL,
    starts timestamp with time zone NOT NULL,
    ends timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);
CREATE SEQUENCE public.sitters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.sitters_id_seq OWNED BY public.sitters.id;
CREATE TABLE public.standing_orders (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    seat integer NOT NULL,
    kind character varying(40) NOT NULL,
    text text NOT NULL,
    phase character varying(200) NOT NULL,
    round character varying(200) NOT NULL,
    uses integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_why text NOT NULL
);
CREATE SEQUENCE public.standing_orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.standing_orders_id_seq OWNED BY public.standing_orders.id;
CREATE TABLE public.talk (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    seat integer,
    player_id bigint,
    to_seat integer,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.talk_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.talk_id_seq OWNED BY public.talk.id;
CREATE TABLE public.votes (
    id bigint NOT NULL,
    proposal_id bigint NOT NULL,
    seat integer NOT NULL,
    yes boolean NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE SEQUENCE public.votes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.votes_id_seq OWNED BY public.votes.id;
ALTER TABLE ONLY public.absences ALTER COLUMN id SET DEFAULT nextval('public.absences_id_seq'::regclass);
ALTER TABLE ONLY public.api_tokens ALTER COLUMN id SET DEFAULT nextval('public.api_tokens_id_seq'::regclass);
ALTER TABLE ONLY public.audit_log ALTER COLUMN id SET DEFAULT nextval('public.audit_log_id_seq'::regclass);
ALTER TABLE ONLY public.clubs ALTER COLUMN id SET DEFAULT nextval('public.clubs_id_seq'::regclass);
ALTER TABLE ONLY public.codes ALTER COLUMN id SET DEFAULT nextval('public.codes_id_seq'::regclass);
ALTER TABLE ONLY public.decisions ALTER COLUMN id SET DEFAULT nextval('public.decisions_id_seq'::regclass);
ALTER TABLE ONLY public.deliveries ALTER COLUMN id SET DEFAULT nextval('public.deliveries_id_seq'::regclass);
ALTER TABLE ONLY public.entries ALTER COLUMN id SET DEFAULT nextval('public.entries_id_seq'::regclass);
ALTER TABLE ONLY public.games ALTER COLUMN id SET DEFAULT nextval('public.games_id_seq'::regclass);
ALTER TABLE ONLY public.hook_calls ALTER COLUMN id SET DEFAULT nextval('public.hook_calls_id_seq'::regclass);
ALTER TABLE ONLY public.hooks ALTER COLUMN id SET DEFAULT nextval('public.hooks_id_seq'::regclass);
ALTER TABLE ONLY public.inbound_mails ALTER COLUMN id SET DEFAULT nextval('public.inbound_mails_id_seq'::regclass);
ALTER TABLE ONLY public.invitations ALTER COLUMN id SET DEFAULT nextval('public.invitations_id_seq'::regclass);
ALTER TABLE ONLY public.letters ALTER COLUMN id SET DEFAULT nextval('public.letters_id_seq'::regclass);
ALTER TABLE ONLY public.members ALTER COLUMN id SET DEFAULT nextval('public.members_id_seq'::regclass);
ALTER TABLE ONLY public.notes ALTER COLUMN id SET DEFAULT nextval('public.notes_id_seq'::regclass);
ALTER TABLE ONLY public.orders ALTER COLUMN id SET DEFAULT nextval('public.orders_id_seq'::regclass);
ALTER TABLE ONLY public.pairings ALTER COLUMN id SET DEFAULT nextval('public.pairings_id_seq'::regclass);
ALTER TABLE ONLY public.players ALTER COLUMN id SET DEFAULT nextval('public.players_id_seq'::regclass);
ALTER TABLE ONLY public.plies ALTER COLUMN id SET DEFAULT nextval('public.plies_id_seq'::regclass);
ALTER TABLE ONLY public.proposals ALTER COLUMN id SET DEFAULT nextval('public.proposals_id_seq'::regclass);
ALTER TABLE ONLY public.pulses ALTER COLUMN id SET DEFAULT nextval('public.pulses_id_seq'::regclass);
ALTER TABLE ONLY public.rating_steps ALTER COLUMN id SET DEFAULT nextval('public.rating_steps_id_seq'::regclass);
ALTER TABLE ONLY public.ratings ALTER COLUMN id SET DEFAULT nextval('public.ratings_id_seq'::regclass);
ALTER TABLE ONLY public.saved_views ALTER COLUMN id SET DEFAULT nextval('public.saved_views_id_seq'::regclass);
ALTER TABLE ONLY public.seasons ALTER COLUMN id SET DEFAULT nextval('public.seasons_id_seq'::regclass);
ALTER TABLE ONLY public.seats ALTER COLUMN id SET DEFAULT nextval('public.seats_id_seq'::regclass);
ALTER TABLE ONLY public.sitters ALTER COLUMN id SET DEFAULT nextval('public.sitters_id_seq'::regclass);
ALTER TABLE ONLY public.standing_orders ALTER COLUMN id SET DEFAULT nextval('public.standing_orders_id_seq'::regclass);
ALTER TABLE ONLY public.talk ALTER COLUMN id SET DEFAULT nextval('public.talk_id_seq'::regclass);
ALTER TABLE ONLY public.votes ALTER COLUMN id SET DEFAULT nextval('public.votes_id_seq'::regclass);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.absences
    ADD CONSTRAINT pk_absences PRIMARY KEY (id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT pk_api_tokens PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT pk_audit_log PRIMARY KEY (id);
ALTER TABLE ONLY public.clubs
    ADD CONSTRAINT pk_clubs PRIMARY KEY (id);
ALTER TABLE ONLY public.codes
    ADD CONSTRAINT pk_codes PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT pk_decisions PRIMARY KEY (id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT pk_deliveries PRIMARY KEY (id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT pk_entries PRIMARY KEY (id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT pk_games PRIMARY KEY (id);
ALTER TABLE ONLY public.hook_calls
    ADD CONSTRAINT pk_hook_calls PRIMARY KEY (id);
ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT pk_hooks PRIMARY KEY (id);
ALTER TABLE ONLY public.inbound_mails
    ADD CONSTRAINT pk_inbound_mails PRIMARY KEY (id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT pk_invitations PRIMARY KEY (id);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT pk_letters PRIMARY KEY (id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT pk_members PRIMARY KEY (id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT pk_orders PRIMARY KEY (id);
ALTER TABLE ONLY public.pairings
    ADD CONSTRAINT pk_pairings PRIMARY KEY (id);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT pk_players PRIMARY KEY (id);
ALTER TABLE ONLY public.plies
    ADD CONSTRAINT pk_plies PRIMARY KEY (id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT pk_proposals PRIMARY KEY (id);
ALTER TABLE ONLY public.pulses
    ADD CONSTRAINT pk_pulses PRIMARY KEY (id);
ALTER TABLE ONLY public.rating_steps
    ADD CONSTRAINT pk_rating_steps PRIMARY KEY (id);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (id);
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT pk_saved_views PRIMARY KEY (id);
ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT pk_seasons PRIMARY KEY (id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT pk_seats PRIMARY KEY (id);
ALTER TABLE ONLY public.sitters
    ADD CONSTRAINT pk_sitters PRIMARY KEY (id);
ALTER TABLE ONLY public.standing_orders
    ADD CONSTRAINT pk_standing_orders PRIMARY KEY (id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT pk_talk PRIMARY KEY (id);
ALTER TABLE ONLY public.votes
    ADD CONSTRAINT pk_votes PRIMARY KEY (id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT uq_api_tokens_digest UNIQUE (digest);
ALTER TABLE ONLY public.clubs
    ADD CONSTRAINT uq_clubs_slug UNIQUE (slug);
ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT uq_decisions_game_id_ply_seat UNIQUE (game_id, ply, seat);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT uq_entries_season_id_player_id UNIQUE (season_id, player_id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT uq_games_slug UNIQUE (slug);
ALTER TABLE ONLY public.hook_calls
    ADD CONSTRAINT uq_hook_calls_cause UNIQUE (cause);
ALTER TABLE ONLY public.inbound_mails
    ADD CONSTRAINT uq_inbound_mails_message_id_recipient UNIQUE (message_id, recipient);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT uq_letters_cause UNIQUE (cause);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT uq_members_club_id_player_id UNIQUE (club_id, player_id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT uq_notes_game_id_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT uq_orders_game_id_seat_request UNIQUE (game_id, seat, request);
ALTER TABLE ONLY public.pairings
    ADD CONSTRAINT uq_pairings_season_id_round_title_number UNIQUE (season_id, round, title, number);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT uq_players_address UNIQUE (address);
ALTER TABLE ONLY public.plies
    ADD CONSTRAINT uq_plies_game_id_ply UNIQUE (game_id, ply);
ALTER TABLE ONLY public.pulses
    ADD CONSTRAINT uq_pulses_name UNIQUE (name);
ALTER TABLE ONLY public.rating_steps
    ADD CONSTRAINT uq_rating_steps_game_id_player_id_pool UNIQUE (game_id, player_id, pool);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT uq_ratings_player_id_game UNIQUE (player_id, game);
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT uq_saved_views_club_id_player_id_name UNIQUE (club_id, player_id, name);
ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT uq_seasons_slug UNIQUE (slug);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT uq_seats_game_id_seat UNIQUE (game_id, seat);
ALTER TABLE ONLY public.votes
    ADD CONSTRAINT uq_votes_proposal_id_seat UNIQUE (proposal_id, seat);
CREATE INDEX ix_absences_player_id_ends ON public.absences USING btree (player_id, ends);
CREATE INDEX ix_api_tokens_player_id ON public.api_tokens USING btree (player_id);
CREATE INDEX ix_audit_log_club_id_at ON public.audit_log USING btree (club_id, at);
CREATE INDEX ix_audit_log_game_id ON public.audit_log USING btree (game_id);
CREATE INDEX ix_codes_player_id ON public.codes USING btree (player_id);
CREATE INDEX ix_decisions_nudge ON public.decisions USING btree (nudge_at) WHERE (nudge_at IS NOT NULL);
CREATE INDEX ix_deliveries_letter_id ON public.deliveries USING btree (letter_id);
CREATE INDEX ix_entries_player_id ON public.entries USING btree (player_id);
CREATE INDEX ix_games_club_id_state ON public.games USING btree (club_id, state);
CREATE INDEX ix_games_organiser_id ON public.games USING btree (organiser_id);
CREATE INDEX ix_games_stuck ON public.games USING btree (stuck_at) WHERE ((state)::text = 'stuck'::text);
CREATE INDEX ix_games_unrated ON public.games USING btree (finished_at) WHERE (((state)::text = 'finished'::text) AND (NOT rated));
CREATE INDEX ix_games_wake ON public.games USING btree (wake_at) WHERE ((state)::text = 'running'::text);
CREATE INDEX ix_hook_calls_due ON public.hook_calls USING btree (next_try_at) WHERE ((state)::text = 'pending'::text);
CREATE INDEX ix_hooks_club_id ON public.hooks USING btree (club_id);
CREATE INDEX ix_inbound_mails_new ON public.inbound_mails USING btree (next_try_at) WHERE ((state)::text = 'new'::text);
CREATE INDEX ix_inbound_mails_player_id ON public.inbound_mails USING btree (player_id);
CREATE INDEX ix_invitations_game_id ON public.invitations USING btree (game_id);
CREATE INDEX ix_invitations_open ON public.invitations USING btree (expires_at) WHERE ((state)::text = 'pending'::text);
CREATE INDEX ix_invitations_player_id ON public.invitations USING btree (player_id);
CREATE INDEX ix_letters_claimed ON public.letters USING btree (claimed_at) WHERE ((state)::text = 'claimed'::text);
CREATE INDEX ix_letters_failed ON public.letters USING btree (created_at) WHERE ((state)::text = 'failed'::text);
CREATE INDEX ix_letters_game_id_ply ON public.letters USING btree (game_id, ply);
CREATE INDEX ix_letters_pending ON public.letters USING btree (urgent, next_try_at) WHERE ((state)::text = 'pending'::text);
CREATE INDEX ix_letters_player_id_created_at ON public.letters USING btree (player_id, created_at);
CREATE INDEX ix_members_player_id ON public.members USING btree (player_id);
CREATE INDEX ix_orders_game_id_ply_seat ON public.orders USING btree (game_id, ply, seat);
CREATE INDEX ix_pairings_game_id ON public.pairings USING btree (game_id);
CREATE INDEX ix_pairings_waiting ON public.pairings USING btree (opens_at) WHERE (game_id IS NULL);
CREATE INDEX ix_proposals_game_id_state ON public.proposals USING btree (game_id, state);
CREATE INDEX ix_rating_steps_player_id_pool_at ON public.rating_steps USING btree (player_id, pool, at);
CREATE INDEX ix_ratings_game_shown ON public.ratings USING btree (game, shown);
CREATE INDEX ix_seasons_club_id_state ON public.seasons USING btree (club_id, state);
CREATE INDEX ix_seats_player_id ON public.seats USING btree (player_id);
CREATE INDEX ix_sitters_game_id_seat ON public.sitters USING btree (game_id, seat);
CREATE INDEX ix_sitters_player_id ON public.sitters USING btree (player_id);
CREATE INDEX ix_standing_live ON public.standing_orders USING btree (game_id, seat) WHERE (ended_at IS NULL);
CREATE INDEX ix_talk_game_id_created_at ON public.talk USING btree (game_id, created_at);
ALTER TABLE ONLY public.absences
    ADD CONSTRAINT fk_absences_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT fk_api_tokens_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT fk_api_tokens_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT fk_api_tokens_seat_id FOREIGN KEY (seat_id) REFERENCES public.seats(id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT fk_audit_log_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT fk_audit_log_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT fk_audit_log_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.codes
    ADD CONSTRAINT fk_codes_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.decisions
    ADD CONSTRAINT fk_decisions_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT fk_deliveries_letter_id FOREIGN KEY (letter_id) REFERENCES public.letters(id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT fk_entries_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT fk_entries_season_id FOREIGN KEY (season_id) REFERENCES public.seasons(id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT fk_games_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT fk_games_organiser_id FOREIGN KEY (organiser_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.hook_calls
    ADD CONSTRAINT fk_hook_calls_hook_id FOREIGN KEY (hook_id) REFERENCES public.hooks(id);
ALTER TABLE ONLY public.hooks
    ADD CONSTRAINT fk_hooks_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.inbound_mails
    ADD CONSTRAINT fk_inbound_mails_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT fk_invitations_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT fk_invitations_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT fk_invitations_inviter_id FOREIGN KEY (inviter_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT fk_invitations_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT fk_letters_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT fk_letters_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.letters
    ADD CONSTRAINT fk_letters_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT fk_members_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT fk_members_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.pairings
    ADD CONSTRAINT fk_pairings_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.pairings
    ADD CONSTRAINT fk_pairings_season_id FOREIGN KEY (season_id) REFERENCES public.seasons(id);
ALTER TABLE ONLY public.plies
    ADD CONSTRAINT fk_plies_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT fk_proposals_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT fk_proposals_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.rating_steps
    ADD CONSTRAINT fk_rating_steps_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.rating_steps
    ADD CONSTRAINT fk_rating_steps_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT fk_ratings_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT fk_saved_views_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.saved_views
    ADD CONSTRAINT fk_saved_views_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT fk_seasons_club_id FOREIGN KEY (club_id) REFERENCES public.clubs(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.sitters
    ADD CONSTRAINT fk_sitters_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.sitters
    ADD CONSTRAINT fk_sitters_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.standing_orders
    ADD CONSTRAINT fk_standing_orders_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT fk_talk_game_id FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.talk
    ADD CONSTRAINT fk_talk_player_id FOREIGN KEY (player_id) REFERENCES public.players(id);
ALTER TABLE ONLY public.votes
    ADD CONSTRAINT fk_votes_proposal_id FOREIGN KEY (proposal_id) REFERENCES public.proposals(id);
