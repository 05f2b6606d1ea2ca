"""How long a decision may take: cadences, waking hours, absences, reminders, fallbacks."""
