//! Stages for a matrix that comes without: level sets of its own graph.
//!
//! The neighbours of an unknown are one level away at most, so that levels are a chain. The search begins at an unknown
//! that is far from others, which makes the chain long and its fronts small (Cuthill and McKee 1969; Gibbs,
//! Poole and Stockmeyer 1976).

use crate::nlp::Pattern;

/// A stage for each unknown, such that entries couple neighbouring stages only.
pub fn levels(dimension: usize, pattern: &Pattern) -> Vec<u32> {
    let graph = Adjacency::new(dimension, pattern);
    let mut level = vec![u32::MAX; dimension];
    let mut next = 0;
    for root in 0..dimension {
        if level[root] != u32::MAX {
            continue;
        }
        // Twice to the far end: from there the levels are many.
        let mut begin = root;
        for _ in 0..2 {
            begin = *graph.search(begin, 0, &mut level).last().unwrap_or(&(begin as u32)) as usize;
            graph.search_reset(begin, &mut level);
        }
        let visited = graph.search(begin, next, &mut level);
        next = visited.last().map_or(next, |&last| level[last as usize] + 1);
    }
    level
}

struct Adjacency {
    start: Vec<u32>,
    to: Vec<u32>,
}

impl Adjacency {
    fn new(dimension: usize, pattern: &Pattern) -> Self {
        let mut start = vec![0_u32; dimension + 1];
        let pairs = || pattern.entries().filter(|(i, j)| i != j);
        for (i, j) in pairs() {
            start[i + 1] += 1;
            start[j + 1] += 1;
        }
        (0..dimension).for_each(|i| start[i + 1] += start[i]);
        let mut at = start.clone();
        let mut to = vec![0; start[dimension] as usize];
        for (i, j) in pairs() {
            to[at[i] as usize] = j as u32;
            to[at[j] as usize] = i as u32;
            at[i] += 1;
            at[j] += 1;
        }
        Self { start, to }
    }

    fn neighbours(&self, i: u32) -> &[u32] {
        &self.to[self.start[i as usize] as usize..self.start[i as usize + 1] as usize]
    }

    /// Levels of everything connected with `begin`, in the order of the visit.
    fn search(&self, begin: usize, first: u32, level: &mut [u32]) -> Vec<u32> {
        let mut queue = vec![begin as u32];
        level[begin] = first;
        let mut head = 0;
        while head < queue.len() {
            let i = queue[head];
            head += 1;
            for &j in self.neighbours(i) {
                if level[j as usize] == u32::MAX {
                    level[j as usize] = level[i as usize] + 1;
                    queue.push(j);
                }
            }
        }
        queue
    }

    /// Forgets the levels of everything connected with `begin`.
    fn search_reset(&self, begin: usize, level: &mut [u32]) {
        let mut stack = vec![begin as u32];
        level[begin] = u32::MAX;
        while let Some(i) = stack.pop() {
            for &j in self.neighbours(i) {
                if level[j as usize] != u32::MAX {
                    level[j as usize] = u32::MAX;
                    stack.push(j);
                }
            }
        }
    }
}
