-- Figures of fewer than five people are held back unless a program sets another number: 0 was what every measure began with.
update outcome_measure set fewest_shown = 5 where fewest_shown = 0;
