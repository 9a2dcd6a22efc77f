-- Home shows the places that are taken on a day: without the days before and after.
create index shift_day_date on shift_day (program_id, date);
