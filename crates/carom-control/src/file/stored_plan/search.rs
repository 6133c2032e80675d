//! A search on disk: motions that it knows, and the move that comes next.

use super::parts::whole;
use crate::file::json::Fields;
use crate::guess::{Guess, PhaseGuess, TransitionGuess};
use crate::planner::{Flight, SearchOptions, SearchState};
use serde_json::{Value, json};

/// Motions with the same number of impacts of which the best is polished.
const POLISHED: usize = 3;

pub(super) fn search_json(state: &SearchState) -> Value {
    // Of a search that is finished, the motions that are polished are enough.
    let kept = if state.is_finished() { [POLISHED, 0] } else { [usize::MAX; 2] };
    let lists = |all: &[Vec<Flight>], kept: usize| -> Value {
        all.iter().map(|list| Value::from(list.iter().take(kept).map(flight_json).collect::<Vec<_>>())).collect()
    };
    let SearchOptions { impacts, beam, times, max_seconds } = state.options;
    json!({
        "pass": state.pass, "moves": state.moves, "solved": state.solved,
        "impacts": impacts, "beam": beam, "times": times, "seconds": max_seconds,
        "levels": lists(&state.levels, kept[0]), "aside": lists(&state.aside, kept[1]),
    })
}

pub(super) fn search(fields: Fields<'_>) -> Result<SearchState, String> {
    let lists = |key: &str| -> Result<Vec<Vec<Flight>>, String> {
        let all = fields.0[key].as_array().ok_or_else(|| format!("`{key}` is no list"))?;
        let list = |value: &Value| -> Result<Vec<Flight>, String> {
            let list = value.as_array().ok_or_else(|| format!("`{key}` has no lists"))?;
            list.iter().map(|value| flight(Fields(value))).collect()
        };
        all.iter().map(list).collect()
    };
    let (levels, aside) = (lists("levels")?, lists("aside")?);
    for all in [&levels, &aside] {
        if all.iter().enumerate().any(|(impacts, list)| list.iter().any(|flight| flight.times.len() != impacts)) {
            return Err("its search is damaged".to_owned());
        }
    }
    Ok(SearchState {
        levels,
        aside,
        pass: whole(fields, "pass")?,
        moves: whole(fields, "moves")?,
        solved: whole(fields, "solved")?,
        options: SearchOptions {
            impacts: whole(fields, "impacts")?,
            beam: whole(fields, "beam")?,
            times: whole(fields, "times")?,
            max_seconds: fields.number("seconds")?,
        },
    })
}

pub(super) fn flight_json(flight: &Flight) -> Value {
    let phase = |phase: &PhaseGuess| {
        let PhaseGuess { duration, times, q, v, u, forces } = phase;
        json!({ "duration": duration, "times": times, "q": q, "v": v, "u": u, "forces": forces })
    };
    let link = |link: &TransitionGuess| json!({ "v_plus": link.v_plus, "impulses": link.impulses });
    json!({
        "cost": flight.cost, "times": flight.times, "depth": flight.depth, "deepest": flight.deepest,
        "phases": flight.guess.phases.iter().map(phase).collect::<Vec<_>>(),
        "transitions": flight.guess.transitions.iter().map(link).collect::<Vec<_>>(),
    })
}

pub(super) fn flight(fields: Fields<'_>) -> Result<Flight, String> {
    let phase = |fields: Fields<'_>| {
        Ok(PhaseGuess {
            duration: fields.number("duration")?,
            times: fields.numbers("times")?,
            q: fields.rows("q")?,
            v: fields.rows("v")?,
            u: fields.rows("u")?,
            forces: fields.rows("forces")?,
        })
    };
    let link = |fields: Fields<'_>| {
        Ok(TransitionGuess { v_plus: fields.numbers("v_plus")?, impulses: fields.numbers("impulses")? })
    };
    let guess = Guess {
        phases: fields.list("phases", phase)?,
        transitions: fields.list("transitions", link)?,
        ..Guess::default()
    };
    let found = Flight {
        cost: fields.number("cost")?,
        times: fields.numbers("times")?,
        depth: fields.number("depth")?,
        deepest: fields.number("deepest")?,
        guess,
    };
    let is_whole = |phase: &PhaseGuess| !phase.times.is_empty() && phase.times.len() == phase.q.len();
    let fits = found.guess.phases.len() == found.times.len() + 1 && found.guess.phases.iter().all(is_whole);
    if fits { Ok(found) } else { Err("a motion of its search is damaged".to_owned()) }
}
