CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE clubs (
	id INTEGER NOT NULL, 
	slug VARCHAR(64) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	language VARCHAR(40) NOT NULL, 
	settings JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_clubs PRIMARY KEY (id), 
	CONSTRAINT uq_clubs_slug UNIQUE (slug)
);
CREATE TABLE players (
	id INTEGER NOT NULL, 
	address VARCHAR(254), 
	address_state VARCHAR(40) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	language VARCHAR(40) NOT NULL, 
	zone VARCHAR(64) NOT NULL, 
	wakes INTEGER NOT NULL, 
	sleeps INTEGER NOT NULL, 
	weekends BOOLEAN NOT NULL, 
	quiet BOOLEAN NOT NULL, 
	digest_hour INTEGER, 
	kinds_off JSON NOT NULL, 
	rated BOOLEAN NOT NULL, 
	epoch INTEGER NOT NULL, 
	away_until DATETIME, 
	accepted_at DATETIME, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (id), 
	CONSTRAINT uq_players_address UNIQUE (address)
);
CREATE TABLE pulses (
	id INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_pulses PRIMARY KEY (id), 
	CONSTRAINT uq_pulses_name UNIQUE (name)
);
CREATE TABLE codes (
	id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	purpose VARCHAR(200) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	expires_at DATETIME NOT NULL, 
	tries INTEGER NOT NULL, 
	used_at DATETIME, 
	CONSTRAINT pk_codes PRIMARY KEY (id), 
	CONSTRAINT fk_codes_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE members (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	role VARCHAR(40) NOT NULL, 
	joined_at DATETIME NOT NULL, 
	left_at DATETIME, 
	CONSTRAINT pk_members PRIMARY KEY (id), 
	CONSTRAINT fk_members_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT fk_members_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_members_club_id_player_id UNIQUE (club_id, player_id)
);
CREATE TABLE games (
	id INTEGER NOT NULL, 
	slug VARCHAR(32) NOT NULL, 
	club_id INTEGER, 
	organiser_id INTEGER, 
	game VARCHAR(40) NOT NULL, 
	title VARCHAR(200) NOT NULL, 
	seats INTEGER NOT NULL, 
	options JSON NOT NULL, 
	seed VARCHAR(64) NOT NULL, 
	commitment VARCHAR(64) NOT NULL, 
	rules_version INTEGER NOT NULL, 
	practice BOOLEAN NOT NULL, 
	rated BOOLEAN NOT NULL, 
	watch_delay INTEGER NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	ply INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	outcome BLOB, 
	cadence JSON NOT NULL, 
	cooling INTEGER NOT NULL, 
	due_at DATETIME, 
	cover_at DATETIME, 
	wake_at DATETIME, 
	due_version INTEGER NOT NULL, 
	tries INTEGER NOT NULL, 
	trace TEXT NOT NULL, 
	stuck_at DATETIME, 
	created_at DATETIME NOT NULL, 
	started_at DATETIME, 
	finished_at DATETIME, 
	CONSTRAINT pk_games PRIMARY KEY (id), 
	CONSTRAINT fk_games_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT fk_games_organiser_id FOREIGN KEY(organiser_id) REFERENCES players (id), 
	CONSTRAINT uq_games_slug UNIQUE (slug)
);
CREATE TABLE audit_log (
	id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	player_id INTEGER, 
	club_id INTEGER, 
	game_id INTEGER, 
	act VARCHAR(40) NOT NULL, 
	reason TEXT NOT NULL, 
	details JSON NOT NULL, 
	public BOOLEAN NOT NULL, 
	undo_until DATETIME, 
	CONSTRAINT pk_audit_log PRIMARY KEY (id), 
	CONSTRAINT fk_audit_log_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT fk_audit_log_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_audit_log_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE decisions (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	secret BOOLEAN NOT NULL, 
	optional BOOLEAN NOT NULL, 
	sealed BOOLEAN NOT NULL, 
	opened_at DATETIME NOT NULL, 
	due_at DATETIME, 
	base_at DATETIME, 
	due_version INTEGER NOT NULL, 
	nudge_at DATETIME, 
	nudge_step INTEGER NOT NULL, 
	letter_at DATETIME, 
	order_id INTEGER, 
	answered_at DATETIME, 
	hand VARCHAR(40) NOT NULL, 
	closed_at DATETIME, 
	CONSTRAINT pk_decisions PRIMARY KEY (id), 
	CONSTRAINT fk_decisions_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT uq_decisions_game_id_ply_seat UNIQUE (game_id, ply, seat)
);
CREATE TABLE invitations (
	id INTEGER NOT NULL, 
	club_id INTEGER, 
	game_id INTEGER, 
	seat INTEGER, 
	player_id INTEGER NOT NULL, 
	inviter_id INTEGER, 
	role VARCHAR(40) NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	expires_at DATETIME NOT NULL, 
	created_at DATETIME NOT NULL, 
	answered_at DATETIME, 
	CONSTRAINT pk_invitations PRIMARY KEY (id), 
	CONSTRAINT fk_invitations_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT fk_invitations_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_invitations_inviter_id FOREIGN KEY(inviter_id) REFERENCES players (id), 
	CONSTRAINT fk_invitations_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE orders (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	player_id INTEGER, 
	text TEXT NOT NULL, 
	canonical TEXT NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	reason VARCHAR(40) NOT NULL, 
	source VARCHAR(40) NOT NULL, 
	request VARCHAR(64), 
	mail_id INTEGER, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_orders PRIMARY KEY (id), 
	CONSTRAINT fk_orders_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_orders_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_orders_game_id_seat_request UNIQUE (game_id, seat, request)
);
CREATE TABLE plies (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	restores INTEGER, 
	orders JSON NOT NULL, 
	hands JSON NOT NULL, 
	chance JSON NOT NULL, 
	events BLOB NOT NULL, 
	snapshot BLOB NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	phase VARCHAR(200) NOT NULL, 
	round VARCHAR(200) NOT NULL, 
	resolved_at DATETIME NOT NULL, 
	CONSTRAINT pk_plies PRIMARY KEY (id), 
	CONSTRAINT fk_plies_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT uq_plies_game_id_ply UNIQUE (game_id, ply)
);
CREATE TABLE seats (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	player_id INTEGER, 
	bot VARCHAR(40) NOT NULL, 
	epoch INTEGER NOT NULL, 
	ladder JSON NOT NULL, 
	never JSON NOT NULL, 
	kinds_off JSON NOT NULL, 
	bank_used INTEGER NOT NULL, 
	sat_until DATETIME, 
	joined_at DATETIME, 
	resigned_at DATETIME, 
	CONSTRAINT pk_seats PRIMARY KEY (id), 
	CONSTRAINT fk_seats_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_seats_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_seats_game_id_seat UNIQUE (game_id, seat)
);
CREATE TABLE standing_orders (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	text TEXT NOT NULL, 
	phase VARCHAR(200) NOT NULL, 
	round VARCHAR(200) NOT NULL, 
	uses INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	ended_at DATETIME, 
	ended_why TEXT NOT NULL, 
	CONSTRAINT pk_standing_orders PRIMARY KEY (id), 
	CONSTRAINT fk_standing_orders_game_id FOREIGN KEY(game_id) REFERENCES games (id)
);
CREATE TABLE inbound_mails (
	id INTEGER NOT NULL, 
	message_id VARCHAR(250) NOT NULL, 
	sender VARCHAR(254) NOT NULL, 
	recipient VARCHAR(254) NOT NULL, 
	source VARCHAR(40) NOT NULL, 
	raw BLOB NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	seat_id INTEGER, 
	player_id INTEGER, 
	note TEXT NOT NULL, 
	attempts INTEGER NOT NULL, 
	next_try_at DATETIME NOT NULL, 
	received_at DATETIME NOT NULL, 
	done_at DATETIME, 
	CONSTRAINT pk_inbound_mails PRIMARY KEY (id), 
	CONSTRAINT fk_inbound_mails_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_inbound_mails_message_id_recipient UNIQUE (message_id, recipient)
);
CREATE TABLE letters (
	id INTEGER NOT NULL, 
	cause VARCHAR(120) NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	game_id INTEGER, 
	ply INTEGER, 
	seat INTEGER, 
	player_id INTEGER, 
	club_id INTEGER, 
	address VARCHAR(254), 
	order_id INTEGER, 
	mail_id INTEGER, 
	data JSON NOT NULL, 
	message_id VARCHAR(120) NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	urgent BOOLEAN NOT NULL, 
	next_try_at DATETIME NOT NULL, 
	attempts INTEGER NOT NULL, 
	claimed_at DATETIME, 
	claim VARCHAR(40) NOT NULL, 
	sent_at DATETIME, 
	last_error TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_letters PRIMARY KEY (id), 
	CONSTRAINT fk_letters_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT fk_letters_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_letters_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_letters_cause UNIQUE (cause)
);
CREATE TABLE deliveries (
	id INTEGER NOT NULL, 
	letter_id INTEGER NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	detail TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_deliveries PRIMARY KEY (id), 
	CONSTRAINT fk_deliveries_letter_id FOREIGN KEY(letter_id) REFERENCES letters (id)
);
CREATE TABLE absences (
	id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	starts DATETIME NOT NULL, 
	ends DATETIME NOT NULL, 
	note TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_absences PRIMARY KEY (id), 
	CONSTRAINT fk_absences_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE notes (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_notes PRIMARY KEY (id), 
	CONSTRAINT fk_notes_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT uq_notes_game_id_seat UNIQUE (game_id, seat)
);
CREATE TABLE proposals (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	to_ply INTEGER, 
	player_id INTEGER, 
	reason TEXT NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, seat INTEGER, 
	CONSTRAINT pk_proposals PRIMARY KEY (id), 
	CONSTRAINT fk_proposals_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_proposals_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE sitters (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	handover TEXT NOT NULL, 
	starts DATETIME NOT NULL, 
	ends DATETIME NOT NULL, 
	ended_at DATETIME, 
	CONSTRAINT pk_sitters PRIMARY KEY (id), 
	CONSTRAINT fk_sitters_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_sitters_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE talk (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	seat INTEGER, 
	player_id INTEGER, 
	to_seat INTEGER, 
	text TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_talk PRIMARY KEY (id), 
	CONSTRAINT fk_talk_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_talk_player_id FOREIGN KEY(player_id) REFERENCES players (id)
);
CREATE TABLE votes (
	id INTEGER NOT NULL, 
	proposal_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	yes BOOLEAN NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_votes PRIMARY KEY (id), 
	CONSTRAINT fk_votes_proposal_id FOREIGN KEY(proposal_id) REFERENCES proposals (id), 
	CONSTRAINT uq_votes_proposal_id_seat UNIQUE (proposal_id, seat)
);
CREATE TABLE hooks (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	url TEXT NOT NULL, 
	secret VARCHAR(40) NOT NULL, 
	created_at DATETIME NOT NULL, 
	ended_at DATETIME, 
	CONSTRAINT pk_hooks PRIMARY KEY (id), 
	CONSTRAINT fk_hooks_club_id FOREIGN KEY(club_id) REFERENCES clubs (id)
);
CREATE TABLE ratings (
	id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	shown INTEGER NOT NULL, 
	games INTEGER NOT NULL, 
	CONSTRAINT pk_ratings PRIMARY KEY (id), 
	CONSTRAINT fk_ratings_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_ratings_player_id_game UNIQUE (player_id, game)
);
CREATE TABLE saved_views (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	player_id INTEGER, 
	name VARCHAR(200) NOT NULL, 
	"query" TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_saved_views PRIMARY KEY (id), 
	CONSTRAINT fk_saved_views_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT fk_saved_views_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_saved_views_club_id_player_id_name UNIQUE (club_id, player_id, name)
);
CREATE TABLE seasons (
	id INTEGER NOT NULL, 
	club_id INTEGER NOT NULL, 
	slug VARCHAR(32) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	system VARCHAR(40) NOT NULL, 
	rounds INTEGER NOT NULL, 
	titles JSON NOT NULL, 
	cadence JSON NOT NULL, 
	workload INTEGER NOT NULL, 
	stagger_hours INTEGER NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	created_at DATETIME NOT NULL, 
	started_at DATETIME, 
	finished_at DATETIME, 
	CONSTRAINT pk_seasons PRIMARY KEY (id), 
	CONSTRAINT fk_seasons_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT uq_seasons_slug UNIQUE (slug)
);
CREATE TABLE entries (
	id INTEGER NOT NULL, 
	season_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	seed FLOAT NOT NULL, 
	byes INTEGER NOT NULL, 
	joined_at DATETIME NOT NULL, 
	dropped_at DATETIME, 
	CONSTRAINT pk_entries PRIMARY KEY (id), 
	CONSTRAINT fk_entries_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT fk_entries_season_id FOREIGN KEY(season_id) REFERENCES seasons (id), 
	CONSTRAINT uq_entries_season_id_player_id UNIQUE (season_id, player_id)
);
CREATE TABLE hook_calls (
	id INTEGER NOT NULL, 
	hook_id INTEGER NOT NULL, 
	cause VARCHAR(200) NOT NULL, 
	body JSON NOT NULL, 
	state VARCHAR(40) NOT NULL, 
	attempts INTEGER NOT NULL, 
	next_try_at DATETIME NOT NULL, 
	last_error TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_hook_calls PRIMARY KEY (id), 
	CONSTRAINT fk_hook_calls_hook_id FOREIGN KEY(hook_id) REFERENCES hooks (id), 
	CONSTRAINT uq_hook_calls_cause UNIQUE (cause)
);
CREATE TABLE pairings (
	id INTEGER NOT NULL, 
	season_id INTEGER NOT NULL, 
	round INTEGER NOT NULL, 
	title INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	players JSON NOT NULL, 
	game_id INTEGER, 
	opens_at DATETIME NOT NULL, 
	CONSTRAINT pk_pairings PRIMARY KEY (id), 
	CONSTRAINT fk_pairings_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_pairings_season_id FOREIGN KEY(season_id) REFERENCES seasons (id), 
	CONSTRAINT uq_pairings_season_id_round_title_number UNIQUE (season_id, round, title, number)
);
CREATE TABLE rating_steps (
	id INTEGER NOT NULL, 
	game_id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	pool VARCHAR(40) NOT NULL, 
	place INTEGER NOT NULL, 
	shown INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_rating_steps PRIMARY KEY (id), 
	CONSTRAINT fk_rating_steps_game_id FOREIGN KEY(game_id) REFERENCES games (id), 
	CONSTRAINT fk_rating_steps_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT uq_rating_steps_game_id_player_id_pool UNIQUE (game_id, player_id, pool)
);
CREATE TABLE api_tokens (
	id INTEGER NOT NULL, 
	player_id INTEGER NOT NULL, 
	club_id INTEGER, 
	seat_id INTEGER, 
	name VARCHAR(200) NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	used_at DATETIME, 
	revoked_at DATETIME, 
	CONSTRAINT pk_api_tokens PRIMARY KEY (id), 
	CONSTRAINT fk_api_tokens_club_id FOREIGN KEY(club_id) REFERENCES clubs (id), 
	CONSTRAINT fk_api_tokens_player_id FOREIGN KEY(player_id) REFERENCES players (id), 
	CONSTRAINT fk_api_tokens_seat_id FOREIGN KEY(seat_id) REFERENCES seats (id), 
	CONSTRAINT uq_api_tokens_digest UNIQUE (digest)
);
CREATE INDEX ix_codes_player_id ON codes (player_id);
CREATE INDEX ix_members_player_id ON members (player_id);
CREATE INDEX ix_games_club_id_state ON games (club_id, state);
CREATE INDEX ix_games_organiser_id ON games (organiser_id);
CREATE INDEX ix_games_stuck ON games (stuck_at) WHERE state = 'stuck';
CREATE INDEX ix_games_unrated ON games (finished_at) WHERE state = 'finished' AND NOT rated;
CREATE INDEX ix_games_wake ON games (wake_at) WHERE state = 'running';
CREATE INDEX ix_audit_log_club_id_at ON audit_log (club_id, at);
CREATE INDEX ix_audit_log_game_id ON audit_log (game_id);
CREATE INDEX ix_decisions_nudge ON decisions (nudge_at) WHERE nudge_at IS NOT NULL;
CREATE INDEX ix_invitations_game_id ON invitations (game_id);
CREATE INDEX ix_invitations_open ON invitations (expires_at) WHERE state = 'pending';
CREATE INDEX ix_invitations_player_id ON invitations (player_id);
CREATE INDEX ix_orders_game_id_ply_seat ON orders (game_id, ply, seat);
CREATE INDEX ix_seats_player_id ON seats (player_id);
CREATE INDEX ix_standing_live ON standing_orders (game_id, seat) WHERE ended_at IS NULL;
CREATE INDEX ix_inbound_mails_new ON inbound_mails (next_try_at) WHERE state = 'new';
CREATE INDEX ix_inbound_mails_player_id ON inbound_mails (player_id);
CREATE INDEX ix_letters_claimed ON letters (claimed_at) WHERE state = 'claimed';
CREATE INDEX ix_letters_failed ON letters (created_at) WHERE state = 'failed';
CREATE INDEX ix_letters_game_id_ply ON letters (game_id, ply);
CREATE INDEX ix_letters_pending ON letters (urgent, next_try_at) WHERE state = 'pending';
CREATE INDEX ix_letters_player_id_created_at ON letters (player_id, created_at);
CREATE INDEX ix_deliveries_letter_id ON deliveries (letter_id);
CREATE INDEX ix_absences_player_id_ends ON absences (player_id, ends);
CREATE INDEX ix_proposals_game_id_state ON proposals (game_id, state);
CREATE INDEX ix_sitters_game_id_seat ON sitters (game_id, seat);
CREATE INDEX ix_sitters_player_id ON sitters (player_id);
CREATE INDEX ix_talk_game_id_created_at ON talk (game_id, created_at);
CREATE INDEX ix_hooks_club_id ON hooks (club_id);
CREATE INDEX ix_ratings_game_shown ON ratings (game, shown);
CREATE INDEX ix_seasons_club_id_state ON seasons (club_id, state);
CREATE INDEX ix_entries_player_id ON entries (player_id);
CREATE INDEX ix_hook_calls_due ON hook_calls (next_try_at) WHERE state = 'pending';
CREATE INDEX ix_pairings_game_id ON pairings (game_id);
CREATE INDEX ix_pairings_waiting ON pairings (opens_at) WHERE game_id IS NULL;
CREATE INDEX ix_rating_steps_player_id_pool_at ON rating_steps (player_id, pool, at);
CREATE INDEX ix_api_tokens_player_id ON api_tokens (player_id);
