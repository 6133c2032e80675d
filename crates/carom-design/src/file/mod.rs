pub struct StudyFile;
pub struct Inner;
pub mod schema {}
