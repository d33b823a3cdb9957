//! Beam search forwards: many sets of states at once, the smallest kept.

use super::least::keep_least;
use super::weighed::Weighed;
use crate::synchronise::core::Core;
use crate::synchronise::sets::history::History;
use crate::synchronise::sets::image::{NOWHERE, Scratch, WORTH_A_THREAD, print};
use crate::synchronise::sets::level::Level;
use crate::synchronise::sets::seen::Seen;
use crate::synchronise::watch::Watch;

/// How wide a beam is and how long a word it may build.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Width {
    /// States held by the sets of one level together: small sets make many.
    pub(crate) capacity: usize,
    /// The most states the level may grow to hold while no set gets smaller.
    pub(crate) stalled: usize,
    /// No word longer than this is of use.
    pub(crate) longest: usize,
}

/// Scores and computes images of sets; room to do so is given, so that two threads can share a kernel.
pub(crate) trait Kernel: Sync {
    /// A state's number.
    type State: Copy + Send + Sync;
    /// What one thread needs to write to.
    type Room: Send;
    /// Scores that differ only in their last so many bits are alike.
    const SHIFT: u32;

    fn room(&self) -> Self::Room;

    /// The set of all states.
    fn everything(&self) -> Vec<Self::State>;

    /// A score for each letter: the lower, the better the image; [`NOWHERE`] where there
    /// is none. No image of two states or more scores as low as one of one state.
    fn scores(&self, room: &mut Self::Room, set: &[Self::State], scores: &mut [u32]);

    /// Appends the image under a letter defined on all of the set, and returns its fingerprint.
    fn apply(
        &self,
        room: &mut Self::Room,
        set: &[Self::State],
        letter: u32,
        images: &mut Vec<Self::State>,
    ) -> u64;
}

/// Follows many sets at once from the set of all states, keeps the smallest, and returns the first word that
/// leaves one state; none where the budget, the length or the sets run out.
///
/// The number of sets is not fixed: as many are kept as hold `capacity` states together, so that wide beams run
/// where sets are small and cheap. While no set shrinks, the beam widens, which makes it a
/// breadth-first search for the next merge.
pub(crate) fn forward(core: &Core<'_>, width: Width, watch: &mut Watch<'_>) -> Option<Vec<u32>> {
    if core.states == 1 {
        return Some(Vec::new());
    }
    match Weighed::new(core) {
        Some(table) => follow(&table, core.letters, width, watch),
        None => follow(core, core.letters, width, watch),
    }
}

/// Sets smaller than this are no more numerous than sets of this size: almost any of them will do.
const SMALL: usize = 5;

/// Letters after which nothing has merged and the beam starts to widen.
const PATIENCE: usize = 3;

fn follow<K: Kernel>(kernel: &K, letters: usize, width: Width, watch: &mut Watch<'_>) -> Option<Vec<u32>> {
    let (mut level, mut next) = (Level::new(), Level::new());
    level.push(&kernel.everything());
    let (mut nodes, mut next_nodes) = (vec![0], Vec::new());
    let mut history = History::new();
    let mut rooms = [kernel.room(), kernel.room()];
    let mut seen = Seen::new();
    let (mut scores, mut kept, mut image) = (Vec::new(), Vec::new(), Vec::new());
    let (mut smallest, mut capacity, mut idle) = (level.sets().len(), width.capacity, 0);
    for length in 1..=width.longest {
        if watch.spent(level.sets().len() * letters) {
            return None;
        }
        watch.progress(length, smallest);
        expand(kernel, letters, &level, &mut rooms, &mut scores);
        let (_, best) = scores.iter().zip(0u32..).min().filter(|(least, _)| **least != NOWHERE)?;
        let (parent, letter) = (best as usize / letters, best % letters as u32);
        image.clear();
        kernel.apply(&mut rooms[0], level.set(parent), letter, &mut image);
        let size = image.len();
        if size == 1 {
            let mut word = history.word(nodes[parent]);
            word.push(letter);
            return Some(word);
        }
        if size < smallest {
            (smallest, capacity, idle) = (size, width.capacity, 0);
            seen.clear();
        } else {
            idle += 1;
            if idle > PATIENCE {
                capacity = (2 * capacity).min(width.stalled.max(width.capacity));
            }
        }
        let most = (capacity / size.max(SMALL)).max(1);
        keep_least(&scores, K::SHIFT, most, &mut kept);
        next.clear();
        next_nodes.clear();
        for &place in &kept {
            if next.sets().len() >= capacity || next.len() >= most {
                break;
            }
            let (parent, letter) = (place as usize / letters, place % letters as u32);
            let fresh = next.push_if(|images| {
                seen.insert(kernel.apply(&mut rooms[0], level.set(parent), letter, images))
            });
            if fresh {
                next_nodes.push(history.push(nodes[parent], letter));
            }
        }
        if next.is_empty() {
            return None;
        }
        std::mem::swap(&mut level, &mut next);
        std::mem::swap(&mut nodes, &mut next_nodes);
        history.prune(&mut nodes);
    }
    None
}

/// The scores of all images of all sets of the level, on two threads where there is enough to do.
fn expand<K: Kernel>(
    kernel: &K,
    letters: usize,
    level: &Level<K::State>,
    rooms: &mut [K::Room; 2],
    scores: &mut Vec<u32>,
) {
    let count = level.len();
    scores.clear();
    scores.resize(count * letters, 0);
    let some = |which: std::ops::Range<usize>, room: &mut K::Room, scores: &mut [u32]| {
        for (parent, scores) in which.zip(scores.chunks_exact_mut(letters.max(1))) {
            kernel.scores(room, level.set(parent), scores);
        }
    };
    let [mine, other] = rooms;
    if level.sets().len() * letters < WORTH_A_THREAD || count == 1 {
        return some(0..count, mine, scores);
    }
    let half = level.middle();
    let (first, second) = scores.split_at_mut(half * letters);
    std::thread::scope(|scope| {
        scope.spawn(|| some(half..count, other, second));
        some(0..half, mine, first);
    });
}

/// Machines of any size: the score is the size.
impl Kernel for Core<'_> {
    type State = u32;
    type Room = Scratch;

    const SHIFT: u32 = 0;

    fn room(&self) -> Scratch {
        Scratch::new(self)
    }

    fn everything(&self) -> Vec<u32> {
        (0..self.states as u32).collect()
    }

    fn scores(&self, scratch: &mut Scratch, set: &[u32], scores: &mut [u32]) {
        scratch.sizes(self, set, scores);
    }

    fn apply(&self, scratch: &mut Scratch, set: &[u32], letter: u32, images: &mut Vec<u32>) -> u64 {
        let start = images.len();
        scratch.apply(self, set, letter, images);
        print(&images[start..])
    }
}
